/** Devices, as far as a browser tells of the one that it runs on. */
import Bowser from 'bowser'

/** `Chrome, Android` or `Safari, iPhone, iOS` of a user agent; the first words of one that is no browser we know. */
export function deviceName(userAgent: string): string {
  if (userAgent === '') return ''
  const { browser, os, platform } = Bowser.parse(userAgent)
  return [browser.name, platform.model, os.name].filter(Boolean).join(', ') || userAgent.slice(0, 40)
}
