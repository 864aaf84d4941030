import os from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Two at least: a test of the server waits for the database most of its time.
    maxWorkers: Math.max(2, os.availableParallelism() - 1),
    projects: [
      { extends: true, test: { name: 'domain', include: ['src/domain/**/*.test.ts', 'src/contract/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'server',
          // The house is checked with the server's tests because it asks the migrated database, too.
          include: ['src/server/**/*.test.ts', 'db/**/*.test.ts', 'bench/**/*.test.ts', 'src/house.test.ts'],
          globalSetup: 'src/server/testing/setup.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      { extends: true, test: { name: 'web', include: ['src/web/**/*.test.{ts,tsx}'] } },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['e2e/**/*.test.ts'],
          globalSetup: 'e2e/setup.ts',
          // Nothing but browsers at that time: a journey sees what a person would see.
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'drills',
          include: ['drill/**/*.test.ts'],
          globalSetup: 'e2e/setup.ts',
          // After everything else: each starts a portal and a database of its own, and ends them by force.
          sequence: { groupOrder: 2 },
          testTimeout: 300_000,
        },
      },
    ],
  },
})
