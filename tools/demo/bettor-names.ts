const FIRST = ['Ada', 'Ben', 'Cleo', 'Dev', 'Edie', 'Finn', 'Gia', 'Hugo', 'Iris', 'Jon'];
const LAST = ['Ashdown', 'Birch', 'Copper', 'Dale', 'Elmwood'];

/** Fifty invented people. */
export const bettorNames: readonly string[] = LAST.flatMap((last) => FIRST.map((first) => `${first} ${last}`));

export const referenceOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');
