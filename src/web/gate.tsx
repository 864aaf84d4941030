/** Shows the portal to a signed-in user and the login screen to anyone else. The address is kept. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, use, useEffect, useState } from 'react'
import { firstAnswers, isShell } from './firstLoad.ts'
import { messageOf, queryClient } from './shared/api.ts'
import { initialLanguage, i18n, setLanguage, textsReady } from './i18n.ts'
import { takeAnswer } from './account/signOn.ts'
import { restoreKept, watchKept } from './shared/offline/kept.ts'
import {
  confirmSession,
  prefetchFor,
  sessionQuery,
  SiteContext,
  siteQuery,
  wasSignedIn,
  WhoContext,
} from './shared/session.ts'
import { languages } from '#domain/people/account.ts'
import { linkPath } from '#domain/people/mail.ts'
import { unsubscribePath } from '#domain/people/notice.ts'
import { notify } from './ui/notify.ts'
import { Splash, Unreachable } from './splash.tsx'

const portal = () => import('./portal.tsx')
const login = () => import('./login/login.tsx')
const Portal = lazy(portal)
const Login = lazy(login)

/** Fetches everything that the first screen needs at once, together with its code. Answers embedded in the page are not fetched. */
async function open(): Promise<void> {
  watchKept()
  if (firstAnswers) {
    queryClient.setQueryData(sessionQuery.queryKey, firstAnswers.session)
    queryClient.setQueryData(siteQuery.queryKey, firstAnswers.site)
  }
  const isSignedIn = firstAnswers ? firstAnswers.session.isAuthenticated : wasSignedIn.read() === true
  void (isSignedIn ? portal() : login()).catch(() => {})
  const [{ session, config }] = await Promise.all([whoAndWhere(), textsReady])
  if (session?.isAuthenticated && config) {
    await Promise.all([setLanguage(session.lang), portal()])
  } else {
    // Now the site's language is known, for a browser with none of the four.
    const guessed = languages[initialLanguage(config?.lang)]
    await Promise.all([i18n.language !== guessed && i18n.changeLanguage(guessed), login()])
  }
}
const initialLoad = open()

async function whoAndWhere() {
  const kept = isShell ? await restoreKept(Date.now()).catch(() => null) : null
  if (kept) {
    void confirmSession()
    return kept
  }
  const [session, config] = await Promise.all([
    queryClient.fetchQuery(sessionQuery).catch(() => undefined),
    queryClient.fetchQuery(siteQuery).catch(() => undefined),
  ])
  // without waiting for texts
  if (session?.isAuthenticated && config) prefetchFor(session, config)
  return { session, config }
}

export function Gate() {
  return (
    <Suspense fallback={<Splash />}>
      <PortalOrLogin />
    </Suspense>
  )
}

/**
 * The token after `#` in the link that opened this page. It is removed from the address at once, so that it is neither visible nor in the history.
 */
function takeFromLink(path: string): string | null {
  if (location.pathname !== path) return null
  const token = location.hash.slice(1)
  history.replaceState(null, '', '/')
  return token
}
// once: a suspended component would start again without it
const initialToken = takeFromLink(linkPath)
const initialEnding = takeFromLink(unsubscribePath)
const initialAnswer = takeAnswer()

function PortalOrLogin() {
  use(initialLoad)
  const [token, setToken] = useState(initialToken)
  const [ending, setEnding] = useState(initialEnding)
  const [answer, setAnswer] = useState(initialAnswer)
  const session = useQuery(sessionQuery)
  const site = useQuery(siteQuery)
  const favicon = site.data?.faviconPath
  useEffect(() => {
    if (favicon) document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.setAttribute('href', favicon)
  }, [favicon])

  const failed = (!session.data && session.error) || (!site.data && site.error)
  if (failed) return <Unreachable error={failed} retry={() => location.reload()} />
  if (!session.data || !site.data) return <Splash />
  return (
    <SiteContext value={site.data}>
      {session.data.isAuthenticated && token === null && ending === null && answer === null ? (
        <WhoContext value={session.data}>
          <Portal key={session.data.username} />
        </WhoContext>
      ) : (
        <Login
          token={token}
          ending={ending}
          onEnded={() => setEnding(null)}
          answer={answer}
          onAnswerDone={error => {
            setAnswer(null)
            // a signed-in user stays signed in and sees a toast; everybody else reads it on the login screen
            if (error !== undefined && session.data.isAuthenticated) notify.error(messageOf(error))
          }}
          onTokenDone={() => {
            setToken(null)
            // another user may be signed in here, or the session of the old password has ended
            void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
          }}
        />
      )}
    </SiteContext>
  )
}
