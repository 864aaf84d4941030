/** How large and heavy a wheel is by its size, for places that do not take every wheel (docs/product/warehouse.md "Stock locations"). */
import { dimensionIn } from './article.ts'

const mmPerInch = 25.4
/** An inch size without an aspect is about as high as it is wide: the classic series has 82 %. */
const classicAspect = 82

/** The measures of a wheel: in mm, and in kg without its rim and of the rim alone. */
export type WheelSize = { diameter: number; width: number; weight: number; rimWeight: number }

/**
 * The measures of a tyre of a size, rounded up; `null` where the text names no size. The diameter follows from the size (ETRTO: rim and two
 * sidewalls). The weight is an estimate from the rubber's volume that errs on the heavy side: catalogues do not have it.
 */
export function wheelSize(text: string): WheelSize | null {
  const size = dimensionIn(text)
  if (!size) return null
  const inMm = (measure: number): number => (size.unit === 'inch' ? measure * mmPerInch : measure)
  const width = inMm(size.width)
  const rim = size.rim * mmPerInch
  const diameter =
    size.diameter === null ? rim + (2 * width * (size.aspect ?? classicAspect)) / 100 : size.diameter * mmPerInch
  // kg of tyre for each cubic metre of the ring that it fills, and of rim for each inch
  const [density, perInch] = size.commercial === 'truck' ? [330, 1.9] : [270, 0.75]
  const ring = (Math.PI / 4) * (diameter ** 2 - rim ** 2) * width * 1e-9
  return {
    diameter: Math.ceil(diameter),
    width: Math.ceil(width),
    weight: Math.ceil(ring * density),
    rimWeight: Math.ceil(size.rim * perInch),
  }
}
