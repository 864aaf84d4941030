/** Whether this runs in the process that prerenders screens (docs/decisions/0076): there are no touches, scans or measurements. */
export const isPrerendering = globalThis.document === undefined
