// From the texts of a form to the values of a request. What is no number goes as it is: the API says what is wrong with it.

/** Nothing for an empty text. */
export const optionalText = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());

export function numberOf(text: string): number {
  const trimmed = text.trim();
  const number = Number(trimmed);
  return trimmed !== '' && Number.isFinite(number) ? number : (trimmed as unknown as number);
}

export const optionalNumber = (text: string): number | undefined => (text.trim() === '' ? undefined : numberOf(text));
