/** A text as searches compare it: in small letters, without accents. PostgreSQL's `folded` is the same (db/migrations/0016). */
export const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
