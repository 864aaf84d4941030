import { useTranslation } from './ui/texts.ts'
import { messageOf } from './shared/api.ts'
import classes from './splash.module.css'
import mark from './ui/mark.svg'

/** Shown before anything is loaded. It stays invisible for a moment: fast loads need no placeholder. */
export function Splash() {
  return (
    <div className={classes.splash}>
      <img className={classes.waiting} src={mark} alt="" width={56} height={56} />
    </div>
  )
}

/** The server or the site did not answer, so there is nothing to sign in to. */
export function Unreachable({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation()
  return (
    <main className={classes.splash}>
      <img src={mark} alt="" width={56} height={56} />
      <h1 className={classes.title}>{t('portalUnreachable')}</h1>
      <p role="alert">{messageOf(error)}</p>
      <button className={classes.retry} type="button" onClick={retry}>
        {t('retry')}
      </button>
    </main>
  )
}
