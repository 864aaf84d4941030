/** Whether this runs in the process that renders screens for their pages (docs/decisions/0076): nobody touches, scans or measures anything there. */
export const isPrerendering = globalThis.document === undefined
