/**
 * zod compiles its schemas with `new Function`, and tries whether it may where the first one is made. The
 * Content-Security-Policy forbids and reports that: nothing of the contract may be read before this.
 */
import { z } from 'zod'

z.config({ jitless: true })
