/** The portal on the database of a running one, without the fair queue: the negative control of drill/isolation.ts. */
import { readConfig } from '../src/server/config.ts'
import { openStore } from '../src/server/db/open.ts'
import { mountHealth } from '../src/server/http/health.ts'
import { mountDocs } from '../src/server/http/openapi.ts'
import { serve } from '../src/server/http/serve.ts'
import { mountImages } from '../src/server/features/sites/sites.ts'

const config = readConfig(process.env)
const { database } = await openStore(config, { log: () => {}, join: true })
const app = await serve({ database, trustProxy: config.TRUST_PROXY, queues: null })
mountImages(app, database)
mountHealth(app, database)
await mountDocs(app)
await app.listen({ host: config.HOST, port: config.PORT })
process.send?.('listening')
process.once('disconnect', () => process.exit(0))
