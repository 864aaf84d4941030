/**
 * The document with the camera (docs/decisions/0073): the portal at an address of its own, whose answer alone may use a camera. The way into
 * it and out of it is a load of the page, never a change of screen.
 */
import { cameraRoot, cameraScreenFor, isCameraScreen } from '#domain/warehouse/camera.ts'
import { stored } from '../ui/stored.ts'

/** Whether this document's addresses are those below the camera's. A test has no document. */
export const isBelowCamera = globalThis.location?.pathname.startsWith(`${cameraRoot}/`) ?? false

/** The address in this site that a path means: of several slashes at its beginning a browser would make another site. */
const ownAddress = (path: string): string => path.replace(/^\/+/, '/')

/** Leaves the document for a screen that it does not have; never answers, for nothing is shown here any more. */
export async function leaveForScreen({ pathname, href }: { pathname: string; href: string }): Promise<void> {
  if (!isBelowCamera || isCameraScreen(pathname)) return
  location.replace(ownAddress(href))
  await new Promise(() => {})
}

/** Where the camera was opened, to go back there. */
const openedFrom = stored('cameraFrom', 'tab')
export const rememberWay = (): void => openedFrom.write(`${location.pathname}${location.search}`)

type Here = { readonly pathname: string; readonly searchStr: string }

/** The address of the camera on this screen. The full-screen scan screen is left behind. */
export function cameraAddress({ pathname, searchStr }: Here): string {
  const screen = cameraScreenFor(pathname)
  if (screen !== pathname) return `${cameraRoot}${screen}`
  const search = new URLSearchParams(searchStr)
  search.delete('scan')
  return `${cameraRoot}${screen}${search.size > 0 ? `?${search}` : ''}`
}

/** The address after the camera is closed: the same screen, or the previous one if the screen exists only for the camera. */
export function addressWithout({ pathname, searchStr }: Here): string {
  const before = openedFrom.read()
  const isOnlyHere = pathname === cameraScreenFor('')
  return ownAddress(isOnlyHere && typeof before === 'string' ? before : `${pathname}${searchStr}`)
}
