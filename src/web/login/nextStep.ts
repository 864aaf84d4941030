import type { Step } from '#contract/session.ts'

/** What every step after the password is given. */
export type StepProps = {
  step: Step
  /** Goes on with what comes next; `null` when the sign-in is complete. */
  onStep: (step: Step | null) => void
  /** Begins anew: the sign-in took too long, or was given up, which is `null`. */
  onExpired: (error: unknown) => void
}
