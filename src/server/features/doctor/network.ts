/** Findings by the network: the mail server, and the portal at its public address. */
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import { findingsAbout, type Finding } from './finding.ts'

const timeoutMs = 10_000
const day = 86_400_000

export async function examineMail({ SMTP_URL: url }: Config): Promise<Finding[]> {
  const { warn, fault, all } = findingsAbout('mail', 'The mail server answers and takes the password.')
  if (url === undefined) {
    warn('mail.none', 'No message goes out: nobody is invited, reminded or told.', 'Set SMTP_URL and PUBLIC_URL.')
    return all()
  }
  const { host } = new URL(url)
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  })
  try {
    await transport.verify()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'EAUTH')
      fault(
        'mail.password',
        `The mail server ${host} does not take the user and password of SMTP_URL.`,
        'Correct them; characters such as @ and / are encoded (%40, %2F).',
      )
    else
      fault(
        'mail.away',
        `The mail server ${host} can't be used: ${message}.`,
        'Correct SMTP_URL, or ask whoever runs it.',
      )
  } finally {
    transport.close()
  }
  return all()
}

type Answer = {
  readonly status: number
  readonly code: string
  readonly date: string | undefined
  readonly certificateUntil: Date | null
}

/** Asks the portal at its public address who is signed in, as a page of it would, in a new connection. */
function ask(publicUrl: string, ca: string | undefined): Promise<Answer> {
  const url = new URL('/users/loginstate', publicUrl)
  const options = {
    method: 'POST',
    timeout: timeoutMs,
    agent: false as const,
    headers: {
      origin: url.origin,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      'content-length': '2',
    },
    ...(ca !== undefined && { ca }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, reply => {
      const socket = reply.socket as Partial<TLSSocket>
      const until = socket.getPeerCertificate?.().valid_to
      let body = ''
      reply.setEncoding('utf8').on('data', (part: string) => (body += part))
      reply.once('end', () => {
        const { code = '' } = (() => {
          try {
            return JSON.parse(body) as { code?: string }
          } catch {
            return { code: 'no portal' }
          }
        })()
        resolve({
          status: reply.statusCode ?? 0,
          code,
          date: reply.headers.date,
          certificateUntil: until === undefined ? null : new Date(until),
        })
      })
    })
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer within ten seconds')))
    outgoing.once('error', reject)
    outgoing.end('{}')
  })
}

/** How far the clock of the machine in front may be off, in ms; its header has whole seconds. */
const clockTolerance = 5000

/** https, the proxy in front and its clock. `ca`: an authority of certificates more, for tests. */
export async function examineFront(
  { PUBLIC_URL: url, TRUST_PROXY: trusted }: Config,
  { now, ca }: { now: () => Date; ca?: string | undefined },
): Promise<Finding[]> {
  const https = findingsAbout('https', 'The portal is served over https.')
  const proxy = findingsAbout('proxy', 'The proxy passes on what the portal needs.')
  const clock = findingsAbout('clock', 'This machine and the one in front agree about the time.')
  if (url === undefined) {
    https.warn(
      'https.unknown',
      'PUBLIC_URL is not set, so neither https nor the proxy can be looked at.',
      'Set PUBLIC_URL to what people type.',
    )
    return https.all()
  }
  if (url.startsWith('http://'))
    https.warn(
      'https.none',
      'PUBLIC_URL is http: passkeys, cameras and installing the portal as an app do not work.',
      'Put a proxy with https in front (docs/operations.md "HTTPS on a local network").',
    )
  try {
    const { code, date, certificateUntil } = await ask(url, ca)
    const days = certificateUntil === null ? Infinity : (certificateUntil.getTime() - now().getTime()) / day
    if (days < 14)
      https.warn(
        'https.expires',
        `The certificate of ${url} ends in ${Math.max(0, Math.floor(days))} days.`,
        'See why it is not renewed.',
      )
    if (code === 'request.host_lost')
      proxy.fault(
        'proxy.host',
        'The proxy does not pass on the address.',
        'Pass on Host (nginx: proxy_set_header Host $host).',
      )
    else if (code === 'request.untrusted_proxy')
      proxy.fault('proxy.untrusted', 'The proxy in front is not trusted.', 'Set TRUST_PROXY.')
    else if (code === 'request.foreign_origin')
      proxy.fault(
        'proxy.origin',
        'The portal takes its own pages for those of another website.',
        'Pass on Host and X-Forwarded-Proto, and set TRUST_PROXY.',
      )
    else if (code === 'no portal')
      proxy.fault(
        'proxy.other',
        `${url} is answered by something that is no portal.`,
        'Correct PUBLIC_URL, or the proxy.',
      )
    else if (trusted === false && url.startsWith('https://'))
      proxy.warn(
        'proxy.addresses',
        'TRUST_PROXY is not set: all people have the address of the proxy, and share its limits.',
        'Set TRUST_PROXY.',
      )
    const off = date === undefined ? 0 : Math.abs(new Date(date).getTime() - now().getTime())
    if (off > clockTolerance)
      clock.warn(
        'clock.front',
        `The clock of this machine is ${Math.round(off / 1000)} s off that of ${url}.`,
        'Let both set their clocks by NTP.',
      )
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code))
      https.fault(
        'https.certificate',
        `The certificate of ${url} is not accepted: ${message}.`,
        'Renew it, or let this machine trust its authority.',
      )
    else
      https.fault(
        'https.away',
        `The portal does not answer at ${url}: ${message}.`,
        'Start the portal and its proxy, or correct PUBLIC_URL.',
      )
    return https.all()
  }
  return [...https.all(), ...proxy.all(), ...clock.all()]
}
