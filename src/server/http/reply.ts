/** The last step of a call: its answer, compressed where that is worth it, or its failure as a refusal. */
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, gzip } from 'node:zlib'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Failure, type FailureCode, type Facts } from '#domain/failure.ts'
import { knownDeviceDays } from '../features/session/devices.sql.ts'
import { cookieName } from '../features/session/sessions.ts'
import { translate } from '../texts/texts.ts'
import { acceptedLanguage } from './admit.ts'
import { bareHeaders } from './malformed.ts'
import { isClientGone } from './queues.ts'

const compress = promisify(gzip)
/** From this size on, in characters, an answer is worth compressing. */
const compressFrom = 8 * 1024

const acceptsGzip = (request: FastifyRequest): boolean => /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')

/** Sends JSON text, or 304 where the client has it already. */
export async function sendJson(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding')
  const tag = reply.getHeader('etag')
  if (tag !== undefined && request.headers['if-none-match'] === tag) return reply.code(304).send()
  return sendText(request, reply, text)
}

/**
 * Texts of so many characters are encoded once: of a string Fastify counts the bytes, and Node encodes into three times the memory
 * that it takes. Smaller buffers make V8 look through its heap more often, which costs more than they save.
 */
const encodeFrom = 256 * 1024

/** Sends text whose type is set, compressed where that is worth it. */
export async function sendText(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  if (text.length < compressFrom) return reply.send(text)
  if (!acceptsGzip(request)) return reply.send(text.length < encodeFrom ? text : Buffer.from(text))
  // level 1 costs 9 ms for 4.8 MB and removes nine tenths; higher levels take seconds of a core
  return reply.header('content-encoding', 'gzip').send(await compress(text, { level: 1 }))
}

/** A print is buffered until it is complete or has this many characters. A failure before that is an ordinary refusal. */
const holdUntil = 64 * 1024

/**
 * Sends a print as the JSON text of its base64. A long one is sent while it is drawn, so that a screen can show the progress;
 * when drawing then fails, the connection is cut in the middle of the text, so that it cannot pass for a complete one.
 */
export async function sendPrint(request: FastifyRequest, reply: FastifyReply, print: Readable): Promise<FastifyReply> {
  // the client is gone
  reply.raw.once('close', () => print.destroy())
  const pieces = print[Symbol.asyncIterator]() as AsyncIterableIterator<string>
  let buffered = ''
  let complete = false
  while (!complete && buffered.length < holdUntil) {
    const { value, done } = await pieces.next()
    if (done) complete = true
    else buffered += value
  }
  if (complete) return sendJson(request, reply, JSON.stringify(buffered))
  reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding')
  return sendPieces(
    request,
    reply,
    (async function* () {
      yield `"${buffered}`
      yield* pieces
      yield '"'
    })(),
  )
}

/**
 * Sends text whose type is set, each piece as soon as it is there. Where one fails the connection is cut, which is logged here: the answer
 * has begun, and no error handler hears of it. `level` is that of gzip.
 */
export function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncIterable<string>,
  level = 1,
): FastifyReply {
  // no proxy holds a piece back
  reply.header('x-accel-buffering', 'no')
  const text = Readable.from(logged(request, pieces), { objectMode: false })
  if (!acceptsGzip(request)) return reply.send(text)
  const packed = createGzip({ level, flush: constants.Z_SYNC_FLUSH })
  pipeline(text, packed, () => {})
  return reply.header('content-encoding', 'gzip').send(packed)
}

async function* logged(request: FastifyRequest, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* pieces
  } catch (error) {
    if (!isHangUp(error, request)) {
      request.outcome.code = failureOf(error as FastifyError).code
      logFailure(request, error)
    }
    throw error
  }
}

/** Logs what nobody expects of a call, with the call. */
export const logFailure = (request: FastifyRequest, error: unknown): void =>
  request.log.error({ err: error, call: request.routeOptions.config.call }, 'failed')

/** Errors of a stream, a body or a queue when the client closes its connection. */
const hangUpCodes = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ABORT_ERR', 'server.busy']

/** Whether an error is only that the client has gone: nobody is left to answer, and nothing failed. */
export const isHangUp = (error: unknown, request: FastifyRequest): boolean => {
  if (!isClientGone(request)()) return false
  const { code = '', message } = error as Partial<FastifyError>
  // Node's error for a body that breaks off; the database's has the same code and another message
  return hangUpCodes.includes(code) || (code === 'ECONNRESET' && message === 'aborted')
}

/** Sets the session's cookie, or with `null` clears it. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
  const name = cookieName(request.protocol)
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: request.protocol === 'https' } as const
  if (token === null) reply.clearCookie(name, options)
  else reply.setCookie(name, token, options)
}

/** Over https the cookie is bound to this host and to https by its name, like that of the session. */
export const deviceCookieName = (protocol: string): string => `${cookieName(protocol)}-device`

/** Sets the cookie of a known device, for as long as browsers keep one. */
export function setDeviceCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  const secure = request.protocol === 'https'
  const maxAge = knownDeviceDays * 86_400
  reply.setCookie(deviceCookieName(request.protocol), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge,
  })
}

/** Codes of Fastify, the network and PostgreSQL, as failures. */
const knownCodes: Readonly<Record<string, FailureCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.wrong_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.invalid',
  ECONNREFUSED: 'server.unavailable',
  ECONNRESET: 'server.unavailable',
  ENOENT: 'server.unavailable',
  EPIPE: 'server.unavailable',
  // terminated by an administrator, crashed, starting; too many connections; a statement or transaction that took too long
  '57P01': 'server.unavailable',
  '57P02': 'server.unavailable',
  '57P03': 'server.unavailable',
  '57014': 'server.unavailable',
  '25P03': 'server.unavailable',
  '53300': 'server.unavailable',
  // while a restored database replaces it
  '3D000': 'server.unavailable',
  // text that PostgreSQL can't store, a number outside a column's range
  '22021': 'request.invalid',
  '22P05': 'request.invalid',
  '22003': 'request.invalid',
}

/** Refusals of the static file server, by status. */
const knownStatuses: Readonly<Record<number, FailureCode>> = {
  400: 'request.invalid',
  403: 'request.route_missing',
  404: 'request.route_missing',
  412: 'request.precondition',
  416: 'request.range',
}

/** Any error as a failure. An unknown one is `server.unexpected`; only the log has it in full. */
export function failureOf(error: FastifyError): Failure {
  if (error instanceof Failure) return error
  const code = knownCodes[error.code] ?? unlistedCode(error)
  return new Failure(code, code === 'request.invalid' ? { fields: [] } : {})
}

function unlistedCode({ code, message, statusCode }: FastifyError): FailureCode {
  // the driver has no codes for these
  const gone = /timeout exceeded when trying to connect|Connection terminated|not queryable/.test(message)
  if (gone || code?.startsWith('08')) return 'server.unavailable'
  return knownStatuses[statusCode ?? 500] ?? 'server.unexpected'
}

/** Answers a failure in the language of the request. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  request.outcome.code = failure.code
  reply.header('cache-control', 'no-store')
  if (failure.status === 429 && typeof failure.facts.seconds === 'number')
    reply.header('retry-after', failure.facts.seconds)
  return reply.code(failure.status).send(refusal(failure, request))
}

/** Refuses a malformed address: Fastify does so before routes and hooks. */
export function refuseMalformedAddress(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .code(400)
    .headers(bareHeaders)
    .send(refusal(new Failure('request.invalid', { fields: [] }), request))
}

function refusal(
  failure: Failure,
  request: FastifyRequest,
): { code: FailureCode; message: string; params: Facts; requestId: string } {
  return {
    code: failure.code,
    message: translate(request.lang ?? acceptedLanguage(request), 'failures', failure.code, failure.facts),
    params: failure.facts,
    requestId: request.id,
  }
}
