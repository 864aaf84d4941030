/** Whether this process lives, and whether it can serve, for load balancers and people. */
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/database.ts'
import { statement } from '../db/statement.ts'
import { int } from '../db/types.ts'

const ready = statement({ name: 'health.ready', row: { ready: int }, sql: 'select 1 as ready' })

export function mountHealth(app: FastifyInstance, database: Database): void {
  app.get('/health/live', async (_request, reply) => reply.header('cache-control', 'no-store').send({ live: true }))
  app.get('/health/ready', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await database.transaction({}, tx => tx.run(ready, {}))
      return await reply.send({ ready: true })
    } catch {
      return reply.code(503).send({ ready: false })
    }
  })
}
