/**
 * Loaded ahead of the portal: stops it as cleanly as SIGTERM does when its terminal is closed or the command that started it ends.
 * Otherwise a portal whose npm was killed would keep running unseen, and lock out the next one.
 */
const stop = () => process.kill(process.pid, 'SIGTERM')
const parent = process.ppid
const timer = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(timer)
  stop()
}, 250).unref()
if (process.platform !== 'win32') process.on('SIGHUP', stop)
