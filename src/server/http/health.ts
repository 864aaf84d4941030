/** Whether this process lives, and whether it can serve: for a load balancer and for people. */
import type { FastifyInstance } from 'fastify'
import { statement, type Database } from '../db/database.ts'

const ready = statement('health.ready', 'select 1')

export function mountHealth(app: FastifyInstance, database: Database): void {
  app.get('/health/live', async (_request, reply) => reply.header('cache-control', 'no-store').send({ live: true }))
  app.get('/health/ready', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await database.transaction({}, tx => tx.rows(ready))
      return await reply.send({ ready: true })
    } catch {
      return reply.code(503).send({ ready: false })
    }
  })
}
