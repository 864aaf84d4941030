/** The version of the portal, for people. What nodes may serve together is decided by the schema (db/serving.ts). */
import about from '../../package.json' with { type: 'json' }

export const portalVersion: string = about.version
