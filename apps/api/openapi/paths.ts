/** The document, and the page that shows it. */
export const DOCUMENT_PATH = '/openapi.json';
export const DOCS_PATH = '/docs';
