/** Loaded ahead of the portal: ends it politely when the command that started it was killed, so that none goes on unseen. */
const starter = process.ppid
setInterval(() => process.ppid !== starter && process.kill(process.pid, 'SIGTERM'), 500).unref()
