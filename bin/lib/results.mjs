/** A silent Vitest reporter that writes the results to a file, for the last line of `npm test`. */
import fs from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

export default class Results {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = { passed: 0, skipped: 0, tried: 0, failed: [], repeated: [], reasons: [] }
    for (const module of modules) {
      let ended = 0
      const titleOf = name => `${module.relativeModuleId} > ${name}`
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state !== 'skipped') ended++
        const reasons = (errors ?? []).map(({ message, diff }) => stripVTControlCharacters(diff ?? message))
        for (const reason of reasons) tests.reasons.push(`${titleOf(test.fullName)}: ${reason}`)
        if (test.diagnostic()?.flaky) tests.repeated.push([titleOf(test.fullName), ...reasons].join('\n    '))
        if (state === 'failed') tests.failed.push(titleOf(test.fullName))
        else tests[state === 'passed' ? 'passed' : 'skipped']++
      }
      // A test can report that it has tried more than one case.
      tests.tried += module.meta().tried ?? ended
      // A file that can't be loaded, or whose set-up fails, has no test that fails for it.
      if (module.errors().length > 0) tests.failed.push(module.relativeModuleId)
      for (const suite of module.children.allSuites())
        if (suite.errors().length > 0) tests.failed.push(titleOf(suite.fullName))
    }
    for (const { message } of unhandledErrors) tests.failed.push(`outside of every test: ${message}`)
    fs.writeFileSync(process.env.WHEELHOUSE_RESULTS, JSON.stringify(tests))
  }
}
