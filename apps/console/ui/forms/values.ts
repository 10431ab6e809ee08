/** From the text of a form to the value of a request: nothing for an empty text. */
export const optionalText = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());
