/** How texts are searched: word by word, in any letters, with or without accents. */

/** The words of a search as texts are looked through: lower case, without accents. */
export const wordsOf = (text: string): string[] =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().split(/\s+/).filter(Boolean)

/** The same of a text in SQL. Most texts have no accents, and are spared the work. */
export const folded = (text: string): string =>
  String.raw`lower(case when octet_length(${text}) = length(${text}) then ${text}
    else regexp_replace(normalize(${text}, NFKD), '[\u0300-\u036f]', '', 'g') end)`
