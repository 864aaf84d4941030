/**
 * What the log says (QUALITY 29, 30): a line of JSON for each call and each unexpected error, with ids and codes, never what
 * was asked or answered. PostgreSQL tells of a refused row what stands in it; that is left out, too.
 */

/** What is kept of an error: what happened and where. `detail`, `where` and parameters can hold somebody's data. */
function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint, table, column, routine } = error as Error & Record<string, unknown>
  return {
    type: error.name,
    message: withoutAddress(error.message),
    stack: withoutAddress(error.stack ?? ''),
    ...Object.fromEntries(
      Object.entries({ code, constraint, table, column, routine }).filter(([, fact]) => fact !== undefined),
    ),
    ...(error.cause instanceof Error && { cause: plainError(error.cause) }),
  }
}

/** The address of a database has its password in it. */
const withoutAddress = (text: string): string =>
  text.replaceAll(/\b(postgres(?:ql)?:\/\/)(\S*)/g, (whole, scheme: string, rest: string) =>
    rest.includes('@') ? `${scheme}…${rest.slice(rest.lastIndexOf('@'))}` : whole,
  )

/** Settings of the logger, with errors told as `plainError`. */
export const logging = (asked: boolean | object): object => ({
  ...(asked === true ? {} : (asked as object)),
  serializers: { err: plainError, error: plainError },
})
