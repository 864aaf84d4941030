import type { Step } from '#contract/session.ts'

/** The props of every step after the password. */
export type StepProps = {
  step: Step
  /** Continues with the next step; `null` when the sign-in is complete. */
  onStep: (step: Step | null) => void
  /** Restarts: the sign-in expired, or was cancelled (`null`). */
  onExpired: (error: unknown) => void
}
