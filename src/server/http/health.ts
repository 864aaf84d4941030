/** Liveness and readiness, for load balancers and operators. */
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/database.ts'
import { statement } from '../db/statement.ts'
import { int } from '../db/types.ts'

const ready = statement({ name: 'health.ready', row: { ready: int }, sql: 'select 1 as ready' })

/** How long the database's answer is cached, in ms. */
const readyFor = 1000

export function mountHealth(app: FastifyInstance, database: Database): void {
  let answer = Promise.resolve(false)
  let askedAt = Number.NEGATIVE_INFINITY
  const isReady = (): Promise<boolean> => {
    const now = performance.now()
    if (now - askedAt < readyFor) return answer
    askedAt = now
    return (answer = database
      .transaction({}, tx => tx.single.run(ready, {}))
      .then(
        () => true,
        () => false,
      ))
  }
  app.get('/health/live', async (_request, reply) => reply.header('cache-control', 'no-store').send({ live: true }))
  app.get('/health/ready', async (_request, reply) => {
    const isUp = await isReady()
    return reply
      .header('cache-control', 'no-store')
      .code(isUp ? 200 : 503)
      .send({ ready: isUp })
  })
}
