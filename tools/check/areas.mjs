// The areas (folders of the tree), and the one direction in which they import each other: `npm run check` fails on any
// other import.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** An area imports itself and the areas above it. Areas of one line do not import each other. */
const ORDER = [
  ['libs/core', 'clients/typescript'], // the rules, and the typed client: they import nothing
  ['apps/console/ui'], //        the page of the console, which runs in browsers
  ['libs/platform'], //          database, configuration, logging, processes
  ['libs/events', 'libs/jobs'], // the event log of each account; the outbox and the queues
  ['libs/idempotency'], //       stored answers of requests with keys
  ['libs/ledger'], //            lanes and unit of work
  ['libs/accounts'], //          accounts, access, users, mail
  ['libs/http'], //              what every server shares
  ['libs/audit'], //             what proves that the books balance
  ['libs/reads'], //             lists and single reads
  ['libs/exports', 'libs/previews'], // files of lines; what an operation would move
  ['libs/approvals'], //         what two people decide
  ['libs/webhooks'], //          events, sent to endpoints of a business
  ['apps/console/server'], //    serves the page, and passes requests on to the API
  ['apps/api', 'apps/worker', 'apps/console', 'apps/cli'],
  ['tools'], //                  what developers use
  ['proof'], //                  what proves the product
  ['testing'], //                what tests share: only tests import it
];

const IMPORT = /(?:\bfrom |\bimport |\bimport\()'((?:#|\.\.?\/)[^']+)'/g;
const ROOTS = ['apps', 'clients', 'proof', 'testing', 'tools'];

const levelOf = new Map(ORDER.flatMap((areas, level) => areas.map((area) => /** @type {const} */ ([area, level]))));

/** @param {string} file relative to the repository */
function areaOf(file) {
  const area = [...levelOf.keys()].find((candidate) => file.startsWith(`${candidate}/`));
  if (area === undefined) throw new Error(`${file} is in no area of ${import.meta.filename}`);
  return area;
}

/** The imported file, relative to the repository. @param {string} file @param {string} specifier */
function targetOf(file, specifier) {
  if (!specifier.startsWith('#')) return path.join(path.dirname(file), specifier);
  const name = specifier.slice(1);
  return ROOTS.some((folder) => name.startsWith(`${folder}/`)) ? name : `libs/${name}`;
}

/** @param {string} from @param {string} to */
const isAllowed = (from, to) => from === to || Number(levelOf.get(to)) < Number(levelOf.get(from));

/** Every import that points the wrong way, as a line of text. @param {string} root */
export function findWrongArrows(root) {
  const files = ['apps', 'libs', 'clients', 'proof', 'tools', 'testing'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  return files
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.includes('/generated/'))
    .flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(IMPORT)]
        .map(([, specifier = '']) => targetOf(file, specifier))
        .filter((target) => !isAllowed(areaOf(file), areaOf(target)))
        .map((target) => `${file} imports ${target}: ${areaOf(file)} must not import ${areaOf(target)}`),
    );
}
