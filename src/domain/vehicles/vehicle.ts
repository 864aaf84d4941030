/** Kinds of vehicle, and the words that people and other systems use for them (docs/product/vehicles.md "Vehicles"). */
import { formatDate, type IsoDate } from '../texts/date.ts'
import { Failure } from '../failure.ts'
import { lettersAndDigits } from '../texts/letters.ts'

/** The nine kinds. Any other word is `unknown` and has a question mark as its icon. */
export const vehicleKinds = [
  'car',
  'van',
  'truck',
  'suv',
  'trailer',
  'caravan',
  'bus',
  'tractor',
  'motorcycle',
] as const
export type VehicleKind = (typeof vehicleKinds)[number]

/** The longest each field of a vehicle may be, in characters. */
export const vehicleLimits = {
  brand: 30,
  description: 50,
  chassis_number: 17,
  driver_name: 42,
  mobile_no: 25,
  telephone_no: 25,
  email: 100,
  cost_centre: 40,
} as const
/** How far a vehicle can be expected to run a year, in km. */
export const yearlyDistance = { min: 1, max: 500_000 } as const

/**
 * Words for each kind in English, Dutch, French and German, and the EU category where it names one kind. A motorhome is built on
 * a van's chassis; a tractor is also the tractor unit of a semitrailer, as in Dutch and French; mopeds and scooters have the two
 * wheels of a motorcycle. Words that may mean two kinds (Dutch "bedrijfsauto") are left out.
 */
const words: Readonly<Record<VehicleKind, string>> = {
  car: `car, passenger car, automobile, sedan, saloon, hatchback, estate, estate car, station wagon, mpv, m1,
    auto, personenauto, personenwagen, wagen, gezinswagen, stationwagen, stationwagon, cabriolet, cabrio, coupé,
    voiture, voiture particulière, voiture de tourisme, voiture personnelle, vp, berline, break, monospace,
    pkw, personenkraftwagen, limousine, kombi`,
  van: `van, light commercial vehicle, lcv, delivery van, panel van, pick-up, motorhome, camper, n1,
    bestelwagen, bestelauto, bestelbus, bestelbusje, lichte vrachtwagen, lichte vrachtauto, mobilhome, kampeerwagen, kampeerauto,
    camionnette, fourgon, fourgonnette, utilitaire, utilitaire léger, véhicule utilitaire, véhicule utilitaire léger, vul, camping-car, autocaravane,
    lieferwagen, transporter, kleintransporter, kastenwagen, wohnmobil, leichtes nutzfahrzeug`,
  truck: `truck, lorry, heavy goods vehicle, hgv, rigid truck, n2, n3,
    vrachtwagen, vrachtauto, bakwagen, zware vrachtwagen,
    camion, camion porteur, poids lourd, poids-lourds, porteur, pl,
    lkw, lastwagen, lastkraftwagen, lastauto, laster`,
  suv: `suv, sport utility vehicle, crossover, off-roader, off-road vehicle, 4x4, four-wheel drive, m1g,
    terreinwagen, terreinauto, jeep,
    tout-terrain, véhicule tout-terrain, voiture tout-terrain,
    geländewagen`,
  trailer: `trailer, drawbar trailer, semitrailer, dolly, o1, o2, o3, o4,
    aanhangwagen, aanhanger, aanhangauto, oplegger, middenasaanhangwagen, autonome aanhangwagen,
    remorque, semi-remorque,
    anhänger, anhaenger, sattelauflieger, sattelanhänger, auflieger`,
  caravan: `caravan, touring caravan, sleurhut, vouwwagen, caravane, caravane pliante, wohnwagen, wohnanhänger, faltcaravan`,
  bus: `bus, coach, minibus, articulated bus, m2, m3,
    autobus, autocar, touringcar, reisbus, lijnbus, gelede bus, minibusje,
    car de tourisme, bus articulé, omnibus,
    reisebus, linienbus, kraftomnibus, gelenkbus, kleinbus`,
  tractor: `tractor, tractor unit, truck tractor, road tractor, farm tractor, agricultural tractor,
    trekker, landbouwtractor, landbouwtrekker, opleggertrekker, vrachtwagentrekker,
    tracteur, tracteur routier, tracteur agricole, tracteur de semi-remorque,
    traktor, zugmaschine, sattelzugmaschine, sattelschlepper, schlepper`,
  motorcycle: `motorcycle, motorbike, bike, moped,
    motor, motorfiets, bromfiets, brommer, snorfiets, scooter,
    moto, motocyclette, cyclomoteur, vélomoteur, mobylette,
    motorrad, kraftrad, krad, leichtkraftrad, mofa, motorroller, kleinkraftrad`,
}

/** A word in lower case, without accents, spaces and hyphens. */
const normalize = (text: string): string => lettersAndDigits(text).toLowerCase()

/** Every word with its kind. */
export const vehicleWords: readonly (readonly [word: string, kind: VehicleKind])[] = vehicleKinds.flatMap(kind =>
  words[kind].split(',').map(word => [word.trim(), kind] as const),
)

/** The kind of each word, in lower case and without accents, spaces and hyphens. */
export const wordKinds: ReadonlyMap<string, VehicleKind> = new Map(
  vehicleWords.map(([word, kind]) => [normalize(word), kind]),
)

/**
 * The kind that a word in English, Dutch, French or German names: `vrachtwagen (bakwagen)` is a truck. Case, accents,
 * hyphens, and what follows a bracket, comma, semicolon or slash are ignored. `unknown` for any other word.
 */
export function vehicleKind(text: string): VehicleKind | 'unknown' {
  return wordKinds.get(normalize(text)) ?? wordKinds.get(normalize(text.split(/[(,;/]/, 1).join())) ?? 'unknown'
}

/**
 * Why a vehicle can't go to another customer on this day; `null` when it can. `since` is the day on which the last of its tyres came
 * to where it is: before it, that tyre was in another state, for which the former customer answers.
 */
export function transferRefusal(day: IsoDate, at: { since: IsoDate | null; today: IsoDate }): Failure | null {
  const from = at.since ?? at.today
  if (day <= at.today && (at.since === null || day >= at.since)) return null
  return new Failure('vehicle.transfer_date', { from: formatDate(from), until: formatDate(at.today) })
}
