// Preloaded into a process: to all of its code the clock is off by so many milliseconds. PostgreSQL keeps its own.

const offMs = Number(new URL(import.meta.url).searchParams.get('offMs'));
const RealDate = Date;
const now = () => RealDate.now() + offMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, asked) => Reflect.construct(target, args.length === 0 ? [now()] : args, asked),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
