import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDocument } from '#apps/api/openapi/document.js';
import { topicQueues } from '#jobs/outbox.js';
import { maintenanceJobs, maintenanceQueue, queueDefinitions } from '#jobs/queues.js';

// All that must run on the cluster, taken from the product itself: a new route, command, option or job is in it.

const commandsFolder = fileURLToPath(new URL('../../apps/cli', import.meta.url));

/** Like `GET /wagers/:reference`, as the access log names it. */
const routes = (): string[] =>
  Object.entries(createDocument().paths).flatMap(([route, operations]) =>
    Object.keys(operations).map((method) => `route ${method.toUpperCase()} ${route.replace(/\{(\w+)\}/g, ':$1')}`),
  );

/** Of each topic of the outbox, each periodic job, each other queue, and the sweep. */
function jobs(): string[] {
  const topics = Object.entries(topicQueues).map(([topic, queue]) => `job ${queue} ${topic}`);
  const others = queueDefinitions
    .map(({ name }) => `job ${name} `)
    .filter((job) => job !== `job ${maintenanceQueue.name} ` && !topics.some((topic) => topic.startsWith(job)));
  return [...topics, ...maintenanceJobs.map((name) => `job ${maintenanceQueue.name} ${name}`), ...others, 'job sweep'];
}

/** The text of a command with the files that it imports from its folder. */
function textOf(file: string): string {
  const text = readFileSync(path.join(commandsFolder, file), 'utf8');
  return [text, ...[...text.matchAll(/from '\.\/(.+?)'/g)].map(([, other = '']) => textOf(other))].join('\n');
}

/** Each command, each of its options, and each value of an option that has a choice of them: `--keep transactions|balance`. */
const commands = (): string[] =>
  readdirSync(commandsFolder)
    .filter((file) => file.endsWith('.js') && !file.endsWith('.test.js') && textOf(file).includes('await runCommand('))
    .flatMap((file) => {
      const command = `command ${path.basename(file, '.js')}`;
      const options = [...textOf(file).matchAll(/(--[a-z]+)(?: (\w+(?:\|\w+)+))?/g)].flatMap(
        ([, option = '', choice]) => choice?.split('|').map((value) => `${option} ${value}`) ?? option,
      );
      return [command, ...new Set(options.map((option) => `${command} … ${option}`))];
    });

/** `command audit … --from` ran when a line has the command and the option. */
const covers = (line: string, wanted: string): boolean => {
  const [head = '', option] = wanted.split(' … ');
  return option === undefined
    ? line === wanted || line.startsWith(`${head.trimEnd()} `)
    : line.startsWith(`${head} `) && `${line} `.includes(` ${option} `);
};

/** What ran of each kind, and what did not. */
export function compareWithAll(record: readonly string[]) {
  const kinds = Object.entries({ routes: routes(), commands: commands(), jobs: jobs() });
  const missing = (wanted: readonly string[]) => wanted.filter((one) => !record.some((line) => covers(line, one)));
  return {
    figures: kinds.map(([kind, all]) => `${all.length - missing(all).length} of ${all.length} ${kind}`).join(', '),
    faults: [
      ...kinds.flatMap(([, all]) => missing(all).map((one) => `did not run with success: ${one}`)),
      ...record.filter((line) => line.startsWith('fault ')),
    ],
  };
}
