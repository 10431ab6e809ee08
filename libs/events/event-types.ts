import { type EventKind, eventKinds } from '#core/records.js';

export const eventTypes = Object.keys(eventKinds) as EventKind[];

const FAMILY = /^(\w+)\.\*$/;

/** The types that a name stands for: itself, or with `offer.*` all types of its family. Empty: no type has this name. */
export function typesNamed(name: string): readonly EventKind[] {
  const [, family] = FAMILY.exec(name) ?? [];
  return eventTypes.filter((type) => (family === undefined ? type === name : type.startsWith(`${family}.`)));
}
