// Two modules of the product must not export one name with two meanings: a reader who meets it could not know which it is.

const EXPORT = /^export (?:abstract |async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** Worlds of their own: the page of the console runs in browsers and imports nothing of the servers. */
const APART = 'apps/console/ui/';

const isTest = (file: string): boolean => /\.test\.tsx?$|\/test\//.test(file);

/** Every name that two modules of apps and libs export, as a line of text. The keys are paths from the root. */
export function findRepeatedNames(sources: ReadonlyMap<string, string>): string[] {
  const modulesByName = new Map<string, Set<string>>();
  for (const [file, source] of sources) {
    if (!/^(apps|libs)\//.test(file) || file.startsWith(APART) || isTest(file)) continue;
    for (const [, name = ''] of source.matchAll(EXPORT)) {
      modulesByName.set(name, (modulesByName.get(name) ?? new Set()).add(file));
    }
  }
  return [...modulesByName]
    .filter(([, modules]) => modules.size > 1)
    .map(([name, modules]) => `${name} is exported from ${[...modules].sort().join(' and ')}`)
    .sort();
}
