/**
 * The authorisation matrix in this mode: testing/matrix.ts. What each mode allows is in features/sites/modes.test.ts, too.
 * @module-tag whole
 */
import { tryMode } from '../testing/matrix.ts'

tryMode('fleetonly')
