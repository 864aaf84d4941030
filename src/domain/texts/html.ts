/** Texts in HTML: pages, messages. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a text for the content of an element, or for an attribute in double quotes. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, sign => entities[sign] ?? sign)
