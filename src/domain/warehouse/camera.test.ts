import { describe, expect, test } from 'vitest'
import {
  aimedAt,
  cameraProblemOf,
  cameraScreenFor,
  codeFormats,
  codeReaderOf,
  confirmWithinMs,
  cutsOf,
  hasLeft,
  isCameraPath,
  nothingSeen,
  see,
  type Seen,
} from './camera.ts'

describe('the document with the camera', () => {
  test.each([
    ['/camera/admin/find', true],
    ['/camera/admin/intake', true],
    ['/camera/admin/waves/pick', true],
    ['/admin/intake', false],
    ['/camera', false],
    ['/camera/', false],
    ['/camera/admin', false],
    ['/camera/admin/intake/', false],
    ['/camera/admin/config', false],
    ['/camera//admin/intake', false],
    ['/Camera/admin/intake', false],
    ['/admin/camera/admin/intake', false],
  ])('%s: %s', (path, expected) => {
    expect(isCameraPath(path)).toBe(expected)
  })

  test('a screen with scans of its own opens as itself, every other one as the one where a scan opens its card', () => {
    expect(cameraScreenFor('/admin/waves/load')).toBe('/admin/waves/load')
    expect(cameraScreenFor('/admin/locations')).toBe('/admin/find')
  })
})

describe('what reads the codes', () => {
  test('the browser, where it knows every kind', () => {
    expect(codeReaderOf([...codeFormats, 'aztec'])).toBe('browser')
  })

  test.each([null, [], ['qr_code', 'ean_13']])('else a program that is loaded: %j', supported => {
    expect(codeReaderOf(supported)).toBe('loaded')
  })
})

test.each([
  ['NotAllowedError', 'refused'],
  ['NotFoundError', 'none'],
  ['OverconstrainedError', 'none'],
  ['NotReadableError', 'in_use'],
  ['TypeError', 'failed'],
])('%s: %s', (error, problem) => {
  expect(cameraProblemOf(error)).toBe(problem)
})

describe('what of a picture is read', () => {
  test('the middle as a square, and of a large picture the middle of that without making it smaller', () => {
    expect(cutsOf({ width: 1920, height: 1080 })).toEqual([
      { x: 420, y: 0, side: 1080, pixels: 720 },
      { x: 600, y: 180, side: 720, pixels: 720 },
    ])
  })

  test('a small one whole, as it is', () => {
    expect(cutsOf({ width: 480, height: 640 })).toEqual([{ x: 0, y: 80, side: 480, pixels: 480 }])
  })
})

describe('of several codes', () => {
  const at = (text: string, x: number, y: number) => ({
    text,
    corners: [
      { x: x - 20, y: y - 20 },
      { x: x + 20, y: y - 20 },
      { x: x + 20, y: y + 20 },
      { x: x - 20, y: y + 20 },
    ],
  })
  const [whole, inner] = cutsOf({ width: 1920, height: 1080 })
  if (!inner) throw new Error('a large picture has two cuts')

  test('the one nearest to the middle is read', () => {
    expect(aimedAt([at('above', 360, 260), at('aimed', 370, 390), at('below', 360, 500)], whole, 1080)).toBe('aimed')
  })

  test('none outside of the frame is', () => {
    expect(aimedAt([at('left', 100, 360)], whole, 1080)).toBeNull()
    expect(aimedAt([at('right', 620, 360)], whole, 1080)).toBeNull()
    expect(aimedAt([], whole, 1080)).toBeNull()
  })

  test('the frame is the same in both parts of the picture', () => {
    // 30 % of 1,080 is 324 pixels from the middle: 216 of the one that was made smaller, 324 of the one that was not
    expect(aimedAt([at('edge', 360 + 210, 360)], whole, 1080)).toBe('edge')
    expect(aimedAt([at('edge', 360 + 222, 360)], whole, 1080)).toBeNull()
    expect(aimedAt([at('edge', 360 + 320, 360)], inner, 1080)).toBe('edge')
  })
})

describe('a label', () => {
  /** The labels that count, of pictures that come every `every` ms; `-` is a picture without one. */
  function counted(pictures: string, every: number): string {
    let seen: Seen = nothingSeen
    let counts = ''
    for (const [nth, sign] of [...pictures].entries()) {
      const looked = see(seen, sign === '-' ? null : sign, nth * every)
      seen = looked.seen
      if (looked.counts) counts += sign
    }
    return counts
  }
  const away = '-'.repeat(Math.floor(hasLeft.ms / 100) + 1)

  test('counts when it is read twice', () => {
    expect(counted('A', 100)).toBe('')
    expect(counted('AA', 100)).toBe('A')
    expect(counted('A--A', 100)).toBe('A')
  })

  test('counts once, however long it stays in the picture', () => {
    expect(counted('A'.repeat(600), 100)).toBe('A')
  })

  test('counts once while some pictures fail to read it', () => {
    expect(counted('AA---A----A------------AAAA', 100)).toBe('A')
  })

  test('counts again when it has left the picture', () => {
    expect(counted(`AA${away}AA`, 100)).toBe('AA')
    expect(counted(`AA${away.slice(2)}AA`, 100)).toBe('A')
  })

  test('counts again when another one counted after it', () => {
    expect(counted('AABBAA', 100)).toBe('ABA')
  })

  test('that the camera passes does not count', () => {
    expect(counted('AABAA', 100)).toBe('A')
    expect(counted('ABABAB', 100)).toBe('')
    expect(counted(`A${'-'.repeat(confirmWithinMs / 100)}A`, 100)).toBe('')
  })

  test('counts once on a phone that reads one picture a second, and misses every other', () => {
    expect(counted('AA-A-A-A--A', 1000)).toBe('A')
    expect(counted('AA-----AA', 1000)).toBe('AA')
  })
})
