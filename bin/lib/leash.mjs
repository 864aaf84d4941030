/**
 * Loaded ahead of the portal: a closed terminal, and the end of the command that started it, end it as politely as a stop. Without
 * this one whose npm was killed would go on unseen and keep the next one out.
 */
const end = () => process.kill(process.pid, 'SIGTERM')
const starter = process.ppid
const watch = setInterval(() => {
  if (process.ppid === starter) return
  clearInterval(watch)
  end()
}, 250).unref()
if (process.platform !== 'win32') process.on('SIGHUP', end)
