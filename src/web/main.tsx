/** The entry point: fetches texts, session and site at once, then shows login or portal (docs/product/accounts.md "Sessions"). */
// first: imports run in this order, and before this module
import './noEval.ts'
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './shared/api.ts'
import { Gate } from './gate.tsx'
import { watchTexts } from './i18n.ts'
import { resolver, theme } from './theme.ts'
import './ui/fonts.css'
import './ui/base.css'

/** The nonce of this page, which the server put into the tag that Vite made for it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// The scroll lock of dialogs makes its style element through a library that looks here.
Object.assign(globalThis, { __webpack_nonce__: nonce })

const colorScheme = localStorageColorSchemeManager({ key: 'wheelhouse.colorScheme' })

watchTexts()
const root = createRoot(document.getElementById('root')!)
// in pieces, so that clicks and keys are handled between two of them
startTransition(() =>
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={resolver}
          defaultColorScheme="auto"
          colorSchemeManager={colorScheme}
          getStyleNonce={() => nonce}
        >
          <Gate />
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>,
  ),
)
