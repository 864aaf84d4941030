/** The authorisation matrix in this mode: testing/matrix.ts. */
import { tryMode } from '../testing/matrix.ts'

tryMode('fleetonly')
