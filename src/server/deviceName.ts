/** What a browser is called in a list of sessions and in messages. */
import Bowser from 'bowser'

/** `Firefox, Windows`; empty when the browser does not say what it is. */
export function deviceName(agent: string): string {
  if (agent === '') return ''
  const { browser, os, platform } = Bowser.parse(agent)
  return [browser.name, platform.model, os.name].filter(Boolean).join(', ')
}
