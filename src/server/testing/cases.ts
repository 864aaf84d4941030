import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** How many cases a file of tests tries, where it has more of them than tests. */
    tried?: number
  }
}

/** Says at the end how many cases a file of tests has tried: on the terminal, and on the file itself, where `npm run drill` counts them. */
export function reportCases(what: string, cases: () => { readonly tried: number; readonly leaks?: number }): void {
  // Vitest reads the names between these brackets
  // oxlint-disable-next-line no-empty-pattern
  afterAll(({}, file) => {
    const { tried, leaks } = cases()
    file.meta.tried = tried
    process.stdout.write(`\n${what}: ${tried} cases tried${leaks === undefined ? '' : `, ${leaks} leaks`}\n`)
  })
}
