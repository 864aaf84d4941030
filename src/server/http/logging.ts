/**
 * The log: a line of JSON for each call and each unexpected error, with ids and codes, never with the content of a request or an
 * answer (docs/promises.md "Secrets", "Monitoring"). PostgreSQL's errors name values of the refused row; these are left out, too.
 */

/** An error as it is logged: what happened and where, without `detail`, `where` and parameters, which can hold personal data. */
function loggedError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint, table, column, routine } = error as Error & Record<string, unknown>
  return {
    type: error.name,
    message: withoutPassword(error.message),
    stack: withoutPassword(error.stack ?? ''),
    ...Object.fromEntries(
      Object.entries({ code, constraint, table, column, routine }).filter(([, fact]) => fact !== undefined),
    ),
    ...(error.cause instanceof Error && { cause: loggedError(error.cause) }),
  }
}

/** The URL of a database contains its password. */
const withoutPassword = (text: string): string =>
  text.replaceAll(/\b(postgres(?:ql)?:\/\/)(\S*)/g, (whole, scheme: string, rest: string) =>
    rest.includes('@') ? `${scheme}…${rest.slice(rest.lastIndexOf('@'))}` : whole,
  )

/** The options of the logger, with errors as in `loggedError`. */
export const logging = (options: boolean | object): object => ({
  ...(options === true ? {} : (options as object)),
  serializers: { err: loggedError, error: loggedError },
})
