import { parse } from 'yaml';

interface ComposeService {
  readonly image?: string;
  readonly build?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
}

const IS_PINNED = /^[\w./-]+:v?\d+\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?$/;
/** A variable that compose refuses to leave empty. */
const REQUIRED_SECRETS = [
  'POSTGRES_PASSWORD',
  'DATABASE_PASSWORD',
  'REDIS_PASSWORD',
  'METRICS_TOKEN',
  'CONSOLE_SECRET',
];
/** The service that may have the address of the tables' owner, and its variable. */
const OWNER = { service: 'migrate', variable: 'MIGRATE_DATABASE_URL' };

/** The variables of the table under "Environment" in docs/operations.md. */
export const documentedVariables = (operations: string): string[] =>
  (operations.split(/^## Environment$/m)[1]?.split(/^## /m)[0] ?? '')
    .split('\n')
    .flatMap((line) => /^\| `([A-Z_]+)`/.exec(line)?.[1] ?? []);

/** What docker-compose.yml leaves open, or sets without a way to change it. */
export function findComposeFaults(text: string, operations: string): string[] {
  const services = Object.entries(
    (parse(text, { merge: true }) as { services: Record<string, ComposeService> }).services,
  );
  const faults = services
    .filter(([, { image }]) => image !== undefined && !IS_PINNED.test(image))
    .map(([name, { image }]) => `${name}: ${image} is not pinned`);
  for (const name of REQUIRED_SECRETS) {
    const uses = [...text.matchAll(new RegExp(`\\$\\{${name}(?!\\w)(:\\?)?`, 'g'))];
    if (uses.length === 0 || uses.some(([, required]) => required === undefined)) {
      faults.push(`${name} is not required`);
    }
  }
  if (!/requirepass/.test(services.find(([name]) => name === 'redis')?.[1].command?.join(' ') ?? '')) {
    faults.push('redis: it asks for no password');
  }
  for (const [name, service] of services) faults.push(...openOf(name, service));
  for (const [name, service] of services.filter(([, { build }]) => build !== undefined)) {
    faults.push(...faultsOfPart(name, service, documentedVariables(operations)));
  }
  return faults;
}

function faultsOfPart(name: string, { environment = {} }: ComposeService, variables: readonly string[]): string[] {
  const isOwner = name === OWNER.service;
  const faults = variables
    .filter((variable) => isOwner || variable !== OWNER.variable)
    .filter((variable) => !environment[variable]?.includes(`\${${variable}:`))
    .map((variable) => `${name}: ${variable} cannot be set`);
  const addresses = Object.values(environment).filter((value) => value?.includes('POSTGRES_PASSWORD'));
  if (!isOwner && addresses.length > 0) faults.push(`${name}: it has the password of the owner of the tables`);
  return faults;
}

/** What a service could take beyond its own. */
function openOf(name: string, service: ComposeService): string[] {
  const { read_only = false, cap_drop = [], security_opt = [], mem_limit, pids_limit } = service;
  const faults: string[] = [];
  if (mem_limit === undefined) faults.push(`${name}: its memory has no limit`);
  if (pids_limit === undefined) faults.push(`${name}: its processes have no limit`);
  if (!read_only) faults.push(`${name}: its root file system is writable`);
  if (!cap_drop.includes('ALL')) faults.push(`${name}: it has capabilities`);
  if (!security_opt.includes('no-new-privileges:true')) faults.push(`${name}: it may gain privileges`);
  return faults;
}
