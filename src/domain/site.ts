/** The site's configuration: operating mode and the choices that rules depend on (docs/product/sites.md "Site configuration"). */

export const modes = ['hotelonly', 'fleetonly', 'both'] as const
export type Mode = (typeof modes)[number]

/** Operations, intake and invoicing exist only in these modes. */
export const hotelModes = ['hotelonly', 'both'] as const satisfies readonly Mode[]

/** Whether a site of this mode stores tyres. */
export const isHotel = (mode: Mode): boolean => mode !== 'fleetonly'
/** Whether a site of this mode manages vehicles. */
export const isFleet = (mode: Mode): boolean => mode !== 'hotelonly'

export const documentTypes = ['reservation', 'worknote', 'deliverynote'] as const
export type DocumentType = (typeof documentTypes)[number]

/** Whether the site creates a document for a confirmed operation of this type. */
export const insertsDocument = (
  site: { doDocInsert: boolean; docInsertExceptions: readonly string[] },
  type: string,
): boolean => site.doDocInsert && !site.docInsertExceptions.includes(type)

export const invoicingQuantities = ['per_set', 'per_tyre'] as const
export const invoicingModes = ['per_day', 'per_period'] as const

/** How a service becomes lines of a document: once per tyre, once, or as a line of text. */
export const insertionMethods = ['per_tyre', 'global', 'text_line'] as const
export type InsertionMethod = (typeof insertionMethods)[number]

/** The images of a site, by the names of their files. */
export const siteImages = ['landinglogo', 'navlogo', 'favicon'] as const
export type SiteImage = (typeof siteImages)[number]

/** Whether these are the code of one transport method: capitals and blanks around it make no other one. */
export const isSameCode = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()
