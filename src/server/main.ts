/** `npm start`: opens and migrates the database, loads the demo into an empty one, and serves the portal until it is stopped. */
import { isIPv6, type AddressInfo } from 'node:net'
import { deleteOldMail, mailSending, startMailOutbox } from './features/mail/outbox.ts'
import { deleteOldNotices, notifyLongStored, startNotifying } from './features/notices/notify.ts'
import { lookAtViews, startWeeklyViews } from './features/views/weekly.ts'
import { attachPapers } from './features/attachments/attachments.ts'
import { startSendingInvoices } from './features/invoices/sending.ts'
import { startRuns } from './features/runs/background.ts'
import { noteIncluded } from './features/billing/included.ts'
import { chargeLongStored } from './features/tariff/overstays.ts'
import { startBackups } from './backup/nightly.ts'
import { contract } from '#contract/index.ts'
import { accessPointOf, backupAccess, InvalidSettings, labelPrintersOf, readConfig } from './config.ts'
import { demoLines, prepareDemo } from './db/demo.ts'
import { openLive } from './http/live.ts'
import { mountHealth } from './http/health.ts'
import { listen } from './http/listen.ts'
import { listenMetrics, mountMetrics, openMetrics } from './http/metrics.ts'
import { newestSchema } from './db/newestSchema.ts'
import { openStore } from './db/open.ts'
import { watchSchema } from './db/serving.ts'
import { pathsOf } from './http/effects.ts'
import { openRequestQueues } from './http/queues.ts'
import { mountDocs } from './http/openapi.ts'
import { mountPages } from './http/pages.ts'
import { StartRefused } from './postgres/startup.ts'
import { deleteExpiredKeys } from './http/idempotency.ts'
import { openAccessPoint } from './outbound/accessPoint.ts'
import { openLabelPrinters } from './outbound/labelPrinters.ts'
import { openOutbound } from './outbound/outbound.ts'
import { keepingAnswers, openRdw } from './outbound/vehicleRegister.ts'
import { openPrintPool } from './printing/pool.ts'
import { openReplica, type Replica } from './db/replica.ts'
import { serve } from './http/serve.ts'
import { startSecurityCleanUp } from './features/security/cleanUp.ts'
import { forgetOldOrigins } from './features/security/record.ts'
import { keyBesideData, openSecrets } from './secrets.ts'
import { deleteOldEvents, startDeliveries } from './features/webhooks/deliver.ts'
import { deleteExpired } from './features/session/sessions.ts'
import { startForecasting } from './features/tyres/forecasting.ts'
import { mountImages } from './features/sites/sites.ts'
import type { Worker } from './worker.ts'

const log = (message: string): void => console.log(message)

/** Ends a start that is under way: Ctrl-C and SIGTERM. Once the portal serves it is stopped in another way. */
const starting = new AbortController()
function interrupt(): void {
  if (starting.signal.aborted) return
  log('Stopping: the start is taken back …')
  // nothing of ours runs on a server that others run, and what was not committed there is rolled back
  if (process.env.DATABASE_URL) process.exit(0)
  // the work of the start loses its database, each part in its own way
  process.on('uncaughtException', () => {})
  starting.abort(new Error('the start was interrupted'))
}
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, interrupt)

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const production = config.NODE_ENV === 'production'
  const { signal } = starting
  // the log is that of the server, which needs the database first
  let reportSlow: ((statement: string, ms: number) => void) | undefined
  const store = await openStore(config, { log, signal, slow: (name, ms) => reportSlow?.(name, ms) })
  const demo = await prepareDemo(store.adminUrl, config, log).catch(async error => {
    await store.close()
    throw error
  })
  let replica: Replica | null = null
  const live = openLive(store.access.url, {
    log: error => app.log.warn(error, 'live changes'),
    onChange: change => replica?.recordChange(change),
  })
  if (store.replica)
    replica = openReplica({
      primary: store.database,
      replica: store.replica,
      connectedSince: live.connectedSince,
      log: message => app.log.warn(message),
    })
  const printPool = openPrintPool()
  const backupsSince = config.BACKUP_TO === undefined ? null : new Date()
  const metrics = openMetrics(store.database, { live, replica, backupsSince })
  const secrets = openSecrets(
    config.SECRET_KEY ?? (config.DATABASE_URL === undefined ? keyBesideData(config.DATA_DIR) : null),
  )
  const outbound = openOutbound(config.ALLOW_PRIVATE_ADDRESSES)
  const register =
    config.VEHICLE_REGISTER === undefined ? null : keepingAnswers(openRdw(outbound, config.VEHICLE_REGISTER))
  const accessPoint = accessPointOf(config)
  const sendsMail = config.SMTP_URL !== undefined || demo.length > 0
  const queues = openRequestQueues(store.database.size)
  const app = await serve({
    database: store.database,
    queues,
    live,
    replica,
    printPool,
    defaultSite: config.DEFAULT_SITE,
    demo,
    secrets,
    backupsSince,
    superusersNeedFactor: config.SUPERUSERS_NEED_FACTOR,
    outbound,
    register,
    sendsMail,
    accessPoint: accessPoint !== null,
    labelPrinters: openLabelPrinters(labelPrintersOf(config)),
    checkAnswers: !production,
    trustProxy: config.TRUST_PROXY,
    logger: { level: config.LOG_LEVEL },
    observe: metrics.observe,
    countSecurityEvent: metrics.countSecurityEvent,
  })
  reportSlow = (statement, ms) => app.log.warn({ statement, ms: Math.round(ms) }, 'slow statement')
  mountImages(app, store.database)
  mountHealth(app, store.database)
  if (config.METRICS_TOKEN !== undefined) mountMetrics(app, metrics, config.METRICS_TOKEN)
  await mountDocs(app)
  await mountPages(app, {
    database: store.database,
    defaultSite: config.DEFAULT_SITE,
    prerenderWait: config.PRERENDER ? config.PRERENDER_WAIT : null,
  })

  const cleanup = setInterval(
    () =>
      void Promise.all([
        deleteExpired(store.database, new Date()),
        deleteExpiredKeys(store.database, new Date()),
        deleteOldMail(store.database, new Date()),
        forgetOldOrigins(store.database, new Date()),
        deleteOldEvents(store.database, new Date()),
        deleteOldNotices(store.database, new Date()),
        notifyLongStored(store.database, new Date()),
        chargeLongStored(store.database, new Date()),
        noteIncluded(store.database, new Date()),
      ]).catch(error => app.log.error(error)),
    3_600_000,
  ).unref()
  const workers: Worker[] = []
  let metricsServer: Awaited<ReturnType<typeof listenMetrics>> | null = null
  const close = async (): Promise<void> => {
    clearInterval(cleanup)
    await Promise.all(workers.map(worker => worker.stop()))
    metricsServer?.close()
    await app.close()
    await live.close()
    await replica?.close()
    await store.close()
  }
  let stopping = false
  const stop = async (code = 0): Promise<void> => {
    if (stopping) return
    stopping = true
    log('Stopping: finishing requests in flight …')
    await close()
    log('Stopped.')
    process.exitCode = code
  }
  // a start that was interrupted after its database was ready
  signal.throwIfAborted()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.removeListener(name, interrupt)
    process.on(name, () => void stop())
  }

  try {
    if (config.METRICS_PORT !== undefined) metricsServer = await listenMetrics(metrics, config.METRICS_PORT)
    await listen(app, { host: config.HOST, port: config.PORT })
    workers.push(
      watchSchema(store.database, {
        newest: newestSchema(),
        stop(reason) {
          console.error(reason)
          void stop(1)
        },
      }),
      startDeliveries(store.database, {
        secrets,
        outbound,
        sendsMail,
        disabled: host => app.log.warn({ host }, 'webhook endpoint failed for three days and was disabled'),
        failed: problem => app.log.warn({ problem }, 'webhooks'),
      }),
    )
    workers.push(
      startRuns(store.database, {
        access: store.access,
        sendsMail,
        // a run takes its turns in the queue as an import does
        inTurn: (site, work) => queues.requests.run('import', { site, account: 'billing' }, work),
        changed: site =>
          live.publish({
            site,
            audience: 'everyone',
            paths: pathsOf([...contract.billing.make.invalidates, ...contract.reminders.send.invalidates]),
            from: '',
          }),
        failed: problem => app.log.warn({ problem }, 'runs'),
      }),
    )
    if (accessPoint)
      workers.push(
        startSendingInvoices(store.database, openAccessPoint(accessPoint), {
          changed: site =>
            live.publish({ site, audience: null, paths: pathsOf(contract.invoices.send.invalidates), from: '' }),
          failed: (invoice, problem) => app.log.warn({ invoice, problem }, 'e-invoice not taken by the access point'),
        }),
      )
    workers.push(
      startNotifying(store.database, {
        changed: site =>
          live.publish({ site, audience: 'everyone', paths: pathsOf(contract.notices.read.invalidates), from: '' }),
        failed: problem => app.log.warn({ problem }, 'notices'),
      }),
    )
    workers.push(
      startForecasting(store.database, {
        changed: (site, audience) =>
          live.publish({
            site,
            audience,
            paths: pathsOf(['fleet.health', 'fleet.nearing', 'fleet.reaching']),
            from: '',
          }),
        failed: problem => app.log.warn({ problem }, 'forecasts'),
      }),
    )
    if (config.SECURITY_EVENTS_KEPT !== undefined)
      workers.push(
        startSecurityCleanUp(store.adminUrl, {
          months: config.SECURITY_EVENTS_KEPT,
          removed: events => app.log.warn({ events }, 'old security events were removed'),
          failed: problem => app.log.warn({ problem }, 'old security events'),
        }),
      )
    if (config.BACKUP_TO !== undefined && backupsSince)
      workers.push(
        startBackups(store.database, {
          url: store.adminUrl,
          folder: config.BACKUP_TO,
          access: backupAccess(config),
          passphrase: config.BACKUP_KEY ?? null,
          since: backupsSince,
          sendsMail,
          log: problem => app.log.error({ problem }, 'backup'),
        }),
      )
    const sending = mailSending(config, { demo: demo.length > 0 })
    if (sending)
      workers.push(
        startWeeklyViews(store.database, problem => app.log.warn({ problem }, 'weekly views')),
        startMailOutbox(store.database, {
          attach: attachPapers(store.database, printPool),
          look: lookAtViews(store.database),
          ...sending,
          failed: (mail, problem) => app.log.warn({ mail, problem }, 'message not sent'),
        }),
      )
  } catch (error) {
    await close()
    throw error
  }
  // after the first requests, which may have waited for the portal
  if (production) setTimeout(printPool.warmUp, 2000).unref()
  log(`\nWheelhouse is open at ${addressOf(config.HOST, (app.server.address() as AddressInfo).port)}\n`)
  if (demo.length > 0) log(`${demoLines(demo).join('\n')}\n`)
}

/** The address of the portal for a browser on this machine. */
function addressOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

/** Why the portal can't listen, by the code of the error; the setting is that of the port. */
const listenRefusals: Readonly<Record<string, (setting: string, place: string) => string>> = {
  EADDRINUSE: (setting, place) => `${place} is in use by another program. Set ${setting} to a free port.`,
  EACCES: (setting, place) => `This user may not listen at ${place}. Set ${setting} to a port above 1023.`,
  EADDRNOTAVAIL: (_, place) => `This machine has no address for ${place}. Set HOST to one that it has.`,
  ENOTFOUND: (_, place) => `This machine has no address for ${place}. Set HOST to one that it has.`,
}

function refusalOf(error: unknown): unknown {
  if (error instanceof StartRefused || error instanceof InvalidSettings) return error.message
  const { code = '', syscall = '', port } = error as NodeJS.ErrnoException & { port?: number }
  const refusal = /listen|getaddrinfo/.test(syscall) ? listenRefusals[code] : undefined
  if (!refusal) return error
  const { HOST: host, PORT, METRICS_PORT } = readConfig(process.env)
  const ofMetrics = port !== undefined && port === METRICS_PORT && port !== PORT
  return ofMetrics ? refusal('METRICS_PORT', `127.0.0.1:${port}`) : refusal('PORT', `${host}:${PORT}`)
}

try {
  await start()
} catch (error) {
  if (starting.signal.aborted) {
    log('Stopped.')
    process.exit(0)
  }
  console.error(refusalOf(error))
  process.exit(1)
}
