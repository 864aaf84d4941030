/** The columns of imported files, and how they are recognised by their headings and by what they hold (docs/product/files.md "Imports"). */
import { z } from 'zod'
import { isEan, readSize, seasonIn } from '../tyres/article.ts'
import { numberIn } from './number.ts'
import { normalizePlate } from '../vehicles/plate.ts'
import { dayIn, insertionMethodIn, languageIn, operationTypeIn, rimIn, roleIn, wordKey } from './spreadsheet.ts'
import { vehicleKind } from '../vehicles/vehicle.ts'

export const importKinds = ['vehicles', 'tyres', 'articles', 'customers', 'locations', 'services', 'accounts', 'odometers'] as const
export type ImportKind = (typeof importKinds)[number]

/** Closed to access tokens, as the calls are that change the configuration and other people's accounts one by one. */
export const isClosedToTokens = (kind: ImportKind): boolean => kind === 'services' || kind === 'accounts'
/** Whether only a site with a hotel has such records (docs/product/README.md "Operating modes"). */
export const isOfHotel = (kind: ImportKind): boolean => kind === 'tyres' || kind === 'locations'

/** The fields that a column of a file can be matched to, by kind of import. */
export const importFields = {
  vehicles: [
    'license_plate',
    'kind',
    'brand',
    'description',
    'wheels',
    'customer',
    'number',
    'chassis_number',
    'cost_centre',
    'yearly_distance',
    'contract_end',
    'driver_name',
    'mobile_no',
    'telephone_no',
    'email',
  ],
  tyres: [
    'license_plate',
    'dimension',
    'width',
    'aspect',
    'rim_diameter',
    'brand',
    'pattern',
    'season',
    'load_index',
    'speed_index',
    'ean',
    'position',
    'quantity',
    'tyre_set',
    'depth',
    'depth_date',
    'location',
    'site_name',
    'stored_since',
    'paid_until',
    'status',
    'rims',
    'bolts',
    'hubcaps',
    'dot',
    'retreaded',
    'memo',
    'kind',
    'customer',
  ],
  articles: [
    'brand',
    'pattern',
    'dimension',
    'width',
    'aspect',
    'rim_diameter',
    'description',
    'load_index',
    'speed_index',
    'season',
    'ean',
    'fuel_class',
    'wet_class',
    'noise_db',
  ],
  customers: ['name', 'code', 'company', 'street', 'zipcode', 'city', 'email', 'vat_number'],
  locations: ['site_name', 'zone', 'rack', 'shelf', 'place', 'capacity', 'walk'],
  services: [
    'name',
    'operation_type',
    'article_number',
    'insertion_method',
    'description_en',
    'description_nl',
    'description_fr',
    'description_de',
    'price',
  ],
  accounts: ['username', 'fullname', 'email', 'customer', 'role', 'language'],
  odometers: ['license_plate', 'odometer', 'odometer_date'],
} as const satisfies Record<ImportKind, readonly string[]>
export type ImportField = (typeof importFields)[ImportKind][number]

/** Columns without which a file can't be imported. */
const requiredFields: Readonly<Record<ImportKind, readonly ImportField[]>> = {
  vehicles: ['license_plate', 'kind', 'brand'],
  tyres: ['license_plate', 'dimension'],
  articles: ['brand', 'dimension'],
  customers: ['name'],
  locations: ['site_name'],
  services: ['name', 'operation_type'],
  accounts: ['username'],
  odometers: ['license_plate', 'odometer'],
}

/** The required fields that are not among the columns of a file. A size may be told in parts. */
export const missingFields = (kind: ImportKind, fields: readonly (string | null)[]): ImportField[] =>
  requiredFields[kind].filter(
    field =>
      !fields.includes(field) &&
      !(field === 'dimension' && sizeParts.every(part => part === 'aspect' || fields.includes(part))),
  )
/** The columns of a size that is told in parts; a size such as `7.50R16` has no ratio. */
const sizeParts = ['width', 'aspect', 'rim_diameter'] as const satisfies readonly ImportField[]

/** Headings in English, Dutch, French and German, besides the field's own name. */
const headings: Readonly<Record<ImportField, string>> = {
  license_plate: `amtl kennzeichen, nummerplaat voertuig, kentekennummer, autokennzeichen, amtliches kennzeichen, kfz, plaque minéralogique, vehicle registration, vrn, plate, licence plate, registration, registration number, reg no, nummerplaat, kenteken, plaat, immatriculation,
    plaque, plaque d'immatriculation, no immatriculation, kennzeichen, kfz-kennzeichen, nummernschild`,
  kind: 'type voertuig, type of vehicle, art des fahrzeugs, type, vehicle type, voertuigtype, soort, voertuigsoort, type de véhicule, genre, fahrzeugtyp, fahrzeugart, art, typ',
  brand:
    'manufacturier, bandenmerk, merk band, reifenmarke, reifenhersteller, marque pneu, marque de pneu, tyre brand, tire brand, make, manufacturer, merk, marque, fabricant, marke, hersteller, fabrikat',
  description:
    'model, version, handelsbenaming, omschrijving, beschrijving, uitvoering, modèle, désignation, modell, beschreibung, bezeichnung, libellé',
  wheels: 'number of wheels, wielen, aantal wielen, roues, nombre de roues, räder, anzahl räder',
  customer:
    'opdrachtgever, naam klant, firma klant, kundenbezeichnung, auftraggeber, donneur d’ordre, customer no, customer name, client, owner, klant, klantnaam, klantnummer, eigenaar, client name, nom du client, propriétaire, kunde, kundenname, kundennummer, halter, debiteur',
  number:
    'vehicle number, fleet number, voertuignummer, wagenparknummer, numéro, numéro de véhicule, fahrzeugnummer, nummer',
  chassis_number: 'chassis, vin, chassisnummer, numéro de châssis, fahrgestellnummer, fin',
  cost_centre:
    'cost center, group, department, fleet group, kostenplaats, groep, afdeling, centre de coûts, centre de coût, groupe, service, kostenstelle, gruppe, abteilung',
  yearly_distance:
    'yearly mileage, annual mileage, km a year, km per year, expected km a year, jaarkilometrage, km per jaar, verwachte km per jaar, kilométrage annuel, km par an, km prévus par an, jahreskilometer, jahresfahrleistung, km pro jahr, erwartete km pro jahr',
  contract_end:
    'end of contract, contract end date, lease end, end of lease, einde contract, einddatum contract, einde lease, contracteinde, fin de contrat, fin du contrat, fin du leasing, vertragsende, ende des vertrags, leasingende, rückgabe',
  driver_name: 'driver, bestuurder, chauffeur, naam bestuurder, conducteur, nom du conducteur, fahrer, fahrername',
  mobile_no: 'mobile, cell, gsm, mobiel, mobiele telefoon, portable, handy, mobil, mobiltelefon',
  telephone_no: 'phone, telephone, telefoon, tel, téléphone, telefon',
  email: 'e-mail, mail, e-mail address, e-mailadres, courriel, adresse e-mail, e-mail-adresse',
  dimension:
    'bandmaat, maatvoering, dimensies, reifendimension, reifendim, dim, dimension pneu, taille pneu, dimension pneumatique, tyre dimension, tire dimension, size, tyre size, tire size, maat, bandenmaat, dimensie, afmeting, taille, dimensions, größe, reifengröße, dimension reifen, grösse',
  width:
    'tyre width, tire width, section width, nominal width, breedte, bandbreedte, largeur, largeur pneu, breite, reifenbreite, nennbreite',
  aspect:
    'aspect ratio, ratio, series, tyre height, height, profile height, hoogte, hoogte-breedteverhouding, verhouding, serie, profielhoogte, hauteur, série, rapport, rapport d’aspect, höhe, querschnitt, querschnittsverhältnis, höhenverhältnis, reihe',
  rim_diameter:
    'diameter, inch, inches, rim size, rim inch, wheel size, duim, velgmaat, velgdiameter, inchmaat, diamètre, diamètre jante, diamètre de jante, pouces, pouce, zoll, felgengröße, felgendurchmesser, durchmesser',
  pattern:
    'profieltype, type profiel, bandprofiel, dessin, loopvlak, reifenmodell, profilbezeichnung, modèle de pneu, tread pattern, profile, tread, tyre pattern, profiel, bandtype, patroon, profil, sculpture, modèle pneu, reifenprofil',
  season:
    'soort band, type band, bandsoort, bandtype seizoen, reifenart, reifentyp, type de pneu, tyre type, tire type, seizoen, saison, winter/summer, jahreszeit, saisonart',
  load_index:
    'load index, belastingsindex, traglastindex, ic, load, li, loadindex, laadindex, draagindex, indice de charge, charge, lastindex, tragfähigkeitsindex, tragfähigkeit',
  speed_index:
    'speed rating, speed index, speedindex, iv, speed, speed symbol, si, snelheidsindex, snelheidssymbool, indice de vitesse, vitesse, geschwindigkeitsindex, geschwindigkeitssymbol',
  ean: 'ean nr, ean code, gtin, barcode, ean-code, code ean, code barres, strichcode',
  position:
    'emplacement roue, wielpositie, positie wiel, radpos, einbauposition, montageposition, position roue, axle position, pos, wheel position, positie, plaats op voertuig, emplacement véhicule, radposition, einbauort',
  quantity:
    'aantal stuks, anzahl reifen, stückzahl, nb pneus, nb de pneus, nombre de roues stockées, no of tyres, number of tyres, qty, count, pieces, aantal, aantal banden, stuks, quantité, nombre, nombre de pneus, qté, anzahl, stück, menge',
  tyre_set:
    'radsatz, setnummer, set nr, satznummer, satz nr, numéro de jeu, n° jeu, set number, set, set name, setnaam, bandenset, jeu, nom du jeu, train, satz, reifensatz, satzname',
  depth:
    'tread mm, hauteur de gomme, profiel mm, profiel in mm, restprofiel, profil mm, profil restant, restprofil, restprofiltiefe, reste profil, profondeur profil, remaining tread, tread, nsd, profile depth, tread depth, mm, profieldiepte, diepte, profondeur, profondeur de sculpture, profiltiefe, tiefe',
  depth_date:
    'datum profielmeting, profilmessung am, datum profilmessung, date profondeur, date relevé, date du relevé, date of measurement, measurement date, profieldatum, datum profiel, datum profieldiepte, gemeten op, opmeetdatum, profildatum, profiltiefe datum, datum profiltiefe, date profil, date de profondeur, mesuré le, tread date, depth date, profile date, measured on, date measured, meetdatum, datum meting, date de mesure, messdatum, gemessen am',
  location:
    'stellingplaats, magazijnlocatie, vaknummer, vak, stelling, stellage, opslaglocatie, locatiecode, lagerplatznummer, lagerfach, regalplatz, stellplatz, n° emplacement, numéro emplacement, position de stockage, storage location, location code, bin location, rack, place, storage place, bin, stock rack, rek, plaats, locatie, opslagplaats, emplacement, rayon, rayonnage, lagerplatz, lagerort, regal, platz, fach',
  site_name:
    'vestiging, filiaal, lagerhalle, site de stockage, warehouse, stock site, magazijn, entrepôt, dépôt, lager, standort',
  zone: 'zones, area, section, hall, afdeling, hal, allée, bereich, halle, abschnitt',
  rack: 'racks, rek, rekken, stelling, rayonnage, rayonnages, rayon, regal, regale, gestell',
  shelf: 'level, tier, legbord, legborden, plank, niveau, tablette, étage, ebene, fachboden, boden',
  place:
    'bin, slot, storage place, plaats, vak, opslagplaats, emplacement, place de stockage, platz, fach, lagerplatz, stellplatz',
  capacity:
    'room for tyres, room, max tyres, number of tyres, capaciteit, plaats voor banden, aantal banden, capacité, place pour pneus, nombre de pneus, kapazität, platz für reifen, anzahl reifen',
  walk: 'position on the route, walking order, order, sequence, route, volgnummer in de looproute, looproute, volgorde, volgnummer, rang dans le parcours, parcours, ordre, position auf dem laufweg, laufweg, reihenfolge',
  operation_type:
    'operation, type, type of operation, soort opdracht, soort, opdracht, type d’opération, opération, auftragsart, auftrag, art',
  article_number: 'article, article no, artikelnummer, artikel, numéro d’article, numéro article, artikelnr',
  insertion_method:
    'article insertion, insertion, way of insertion, article insertion method, invoegen van artikel, invoegen, insertion de l’article, artikeleinfügung, einfügung',
  description_en:
    'english, description english, omschrijving engels, engels, description anglais, anglais, englisch, beschreibung englisch',
  description_nl:
    'dutch, description dutch, nederlands, omschrijving nederlands, néerlandais, description néerlandais, niederländisch, beschreibung niederländisch',
  description_fr:
    'french, description french, frans, omschrijving frans, français, description français, französisch, beschreibung französisch',
  description_de:
    'german, description german, duits, omschrijving duits, allemand, description allemand, deutsch, beschreibung deutsch',
  price:
    'price excl vat, price excl, prijs excl btw, prijs, prix hors tva, prix, preis ohne ust, preis ohne mwst, preis',
  username:
    'user, login, account, account name, gebruikersnaam, gebruiker, nom d’utilisateur, utilisateur, identifiant, benutzername, benutzer, anmeldename',
  fullname:
    'full name, name, person, volledige naam, naam, persoon, nom complet, nom, personne, vollständiger name, person',
  odometer:
    'km, mileage, odometer reading, odometer km, kilometres, kilometers, distance, tachometer, kilometerstand, km-stand, stand, kilometers, tellerstand, kilométrage, relevé, compteur, tachostand, km stand, laufleistung',
  odometer_date:
    'date, day, reading date, read on, odometer date, datum, dag, afleesdatum, datum kilometerstand, jour, date du relevé, relevé le, tag, ablesedatum, abgelesen am',
  role: 'account type, type, rol, rôle, rolle',
  language: 'lang, taal, langue, sprache',
  stored_since:
    'datum binnenkomst, date d’entrée, inslag, in opslag sinds, in storage since, en gardiennage depuis, binnen sinds, ingeslagen op, datum inslag, einlagerung, eingang, eingangsdatum, entreposé le, entrée, entrée le, stored from, date stored, check-in date, stored, stored on, stock date, storage date, status date, date in, opgeslagen sinds, opslagdatum, inslagdatum, datum opslag, stocké depuis, date de stockage, date entrée, eingelagert, eingelagert am, eingelagert seit, einlagerungsdatum, lagerdatum',
  paid_until:
    'betaald t/m, bezahlt bis zum, payé jusqu’à, paid through, invoiced until, last invoice date, paid to, betaald tot, gefactureerd tot, laatste factuurdatum, payé jusque, payé jusqu’au, facturé jusqu’au, bezahlt bis, berechnet bis, abgerechnet bis',
  status: 'state, toestand, statut, état, zustand',
  rims: 'wheel type, type velg, soort velg, velgtype, felgenart, felgentyp, type de jante, type jante, rim type, rim, velg, velgen, jante, jantes, felge, felgen',
  bolts:
    'bouten aanwezig, bolts included, mit schrauben, avec boulons, wheel bolts, bouten, wielbouten, boulons, boulons de roue, schrauben, radschrauben',
  hubcaps:
    'zierkappen, wieldeksels, wieldop, radkappe, enjoliveur, cover, caps, wieldoppen, doppen, enjoliveurs, radkappen, radzierblenden',
  dot: 'dot week, dotcode, dot nr, dot jaar, dot-jahr, semaine dot, dot year, production date, manufacture date, dot code, dot number, tin, dot-code, dot-nummer, code dot, numéro dot, herstellungsdatum, productiedatum, date de fabrication',
  retreaded:
    'retread, retread date, retreaded on, loopvlakvernieuwing, covering, gecoverd, rechapé, rechapage, date de rechapage, runderneuert, runderneuerung',
  memo: 'observations, commentaar, bijzonderheden, info, hinweis, anmerkung, anmerkungen, commentaire, commentaires, comment, comments, note, notes, remark, remarks, opmerking, opmerkingen, notitie, remarque, remarques, note interne, bemerkung, bemerkungen, notiz',
  fuel_class:
    'fuel, fuel efficiency, rolling resistance, brandstof, brandstofklasse, rolweerstand, carburant, classe carburant, résistance au roulement, kraftstoff, kraftstoffeffizienz, rollwiderstand',
  wet_class: 'wet, wet grip, grip op nat wegdek, natte grip, adhérence, adhérence sur sol mouillé, nasshaftung',
  noise_db:
    'noise, db, external noise, geluid, geluidsniveau, bruit, niveau sonore, geräusch, rollgeräusch, lautstärke',
  name: 'customer name, service, dienst, prestation, leistung, naam, klantnaam, nom, nom du client, kundenname',
  code: 'customer code, customer number, klantcode, klantnummer, code client, numéro client, kundencode, kundennummer, number',
  company: 'company name, firma, bedrijf, bedrijfsnaam, société, raison sociale, firmenname, unternehmen',
  street: 'address, straat, adres, rue, adresse, strasse, straße, anschrift',
  zipcode: 'zip, postcode, postal code, code postal, cp, plz, postleitzahl',
  vat_number: `vat, vat no, vat id, vat registration number, btw, btw-nummer, btw-nr, btw nummer, btw-identificatienummer, tva,
    no tva, numéro tva, numéro de tva, n° tva, ust-idnr, ust-id, ust-id-nr, umsatzsteuer-id, mwst-nummer, uid`,
  city: 'town, place, stad, plaats, woonplaats, gemeente, ville, localité, ort, stadt',
}
const headingKeys = new Map(
  Object.entries(headings).map(([field, words]) => [field, new Set([field, ...words.split(',')].map(wordKey))]),
)

/** The field of a kind that a heading names. */
function fieldNamed(kind: ImportKind, heading: string): ImportField | null {
  const key = wordKey(heading)
  if (key === '') return null
  // `depth (mm)` is `depth`
  const short = wordKey(heading.split(/[([]/, 1)[0] ?? '')
  const fields: readonly ImportField[] = importFields[kind]
  return (
    fields.find(field => wordKey(field) === key) ??
    fields.find(field => headingKeys.get(field)?.has(key)) ??
    fields.find(field => short !== '' && headingKeys.get(field)?.has(short)) ??
    null
  )
}

/** A depth in mm that a tyre can have. */
const isDepth = (text: string): boolean => {
  const depth = numberIn(text.replace(/ ?mm$/i, ''), { whole: false, language: 'nl', most: 10 })
  return depth !== null && depth > 0 && depth <= 10
}

/** Contents that only one field has, in the order in which they are checked. */
const contents: readonly { field: ImportField; holds: (text: string) => boolean }[] = [
  { field: 'dimension', holds: text => readSize(text) !== null && !isEan(text) },
  { field: 'ean', holds: isEan },
  { field: 'email', holds: text => z.email().safeParse(text).success },
  { field: 'chassis_number', holds: text => /^[A-HJ-NPR-Z0-9]{17}$/i.test(text) },
  { field: 'season', holds: text => text.length > 1 && seasonIn(text) !== null },
  { field: 'operation_type', holds: text => operationTypeIn(text) !== null },
  { field: 'insertion_method', holds: text => insertionMethodIn(text) !== null },
  { field: 'role', holds: text => roleIn(text) !== null },
  { field: 'language', holds: text => languageIn(text) !== null },
  { field: 'kind', holds: text => vehicleKind(text) !== 'unknown' },
  { field: 'rims', holds: text => text.length > 2 && rimIn(text) !== null },
  { field: 'license_plate', holds: text => /^(?=.*\p{L})(?=.*\d)[\p{L}\p{M}\d]{4,9}$/u.test(normalizePlate(text)) },
  { field: 'stored_since', holds: text => dayIn(text) !== null },
  { field: 'depth', holds: isDepth },
]
/** A column holds a field when so many of its cells do: files have errors. */
const enoughShare = 0.8

const everyCell = (rows: readonly (readonly string[])[], at: number, holds: (text: string) => boolean): boolean => {
  const cells = rows.map(row => row[at] ?? '').filter(cell => cell !== '')
  return cells.length > 0 && cells.every(holds)
}

const isWhole = (text: string, from: number, to: number): boolean =>
  /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to
const isRatio = (text: string): boolean => isWhole(text, 25, 95)
const isRimDiameter = (text: string): boolean => /^(?:Z?R)?(?:1\d|2[0-4])(?:[.,]5)?(?:C|"|'')?$/i.test(text)

/** The field of an ambiguous heading, decided by the contents of its column: `Profil` is a depth or a ratio, `Velg` a diameter in inches. */
function meant(
  field: ImportField,
  free: ReadonlySet<string>,
  holds: (of: (text: string) => boolean) => boolean,
): ImportField {
  if (field === 'pattern' && free.has('depth') && holds(isDepth)) return 'depth'
  if (field === 'pattern' && free.has('aspect') && holds(isRatio)) return 'aspect'
  if (field === 'rims' && free.has('rim_diameter') && holds(isRimDiameter)) return 'rim_diameter'
  return field
}

/** Registers head a column with the type of vehicle that says less than another one of theirs: `Bedrijfsauto` beside `N1`. */
const holdsKinds = (rows: readonly (readonly string[])[], at: number): boolean => {
  const cells = rows.map(row => row[at] ?? '').filter(cell => cell !== '')
  return cells.filter(cell => vehicleKind(cell) !== 'unknown').length >= enoughShare * cells.length
}

export type ColumnMatch = { field: ImportField | null; by: 'memory' | 'name' | 'content' | null }

/**
 * The field of each column: as it was matched the last time (`remembered`, by heading; `null`: left out), else by its heading, else by
 * its contents. No field is given twice.
 */
export function matchColumns(
  kind: ImportKind,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  remembered: ReadonlyMap<string, string | null> = new Map(),
): ColumnMatch[] {
  const fields: readonly string[] = importFields[kind]
  const free = new Set<string>(fields)
  const matches = header.map((): ColumnMatch => ({ field: null, by: null }))
  const give = (at: number, field: string | null, by: ColumnMatch['by']): void => {
    const match = matches[at]
    if (!match || match.by !== null || (field !== null && !free.delete(field))) return
    matches[at] = { field: field as ImportField | null, by }
  }
  for (const [at, heading] of header.entries()) {
    const key = headingKey(heading)
    const rememberedField = key === '' ? undefined : remembered.get(key)
    if (rememberedField !== undefined && (rememberedField === null || fields.includes(rememberedField)))
      give(at, rememberedField, 'memory')
  }
  const doubtful = header.findIndex((_, at) => fieldNamed(kind, header[at] ?? '') === 'kind' && !holdsKinds(rows, at))
  for (const [at, heading] of header.entries()) {
    const field = at === doubtful ? null : fieldNamed(kind, heading)
    if (field)
      give(
        at,
        meant(field, free, holds => everyCell(rows, at, holds)),
        'name',
      )
  }
  for (const { field, holds } of contents) {
    if (!free.has(field)) continue
    const shares = header.map((_, at) => {
      if (matches[at]?.by !== null) return 0
      const cells = rows.map(row => row[at] ?? '').filter(cell => cell !== '')
      return cells.length === 0 ? 0 : cells.filter(holds).length / cells.length
    })
    const best = Math.max(...shares)
    if (best >= enoughShare) give(shares.indexOf(best), field, 'content')
  }
  if (doubtful >= 0) give(doubtful, 'kind', 'name')
  return matches
}

/** How a heading is remembered. */
export const headingKey = (heading: string): string => wordKey(heading).slice(0, 100)

/** How many rows are looked at for the header. */
const searchedRows = 20

/**
 * The index of the row with the headings: the one that names the most fields, else the first with several cells. Titles and notes may
 * stand above it.
 */
export function headerRowOf(kind: ImportKind, rows: readonly (readonly string[])[]): number {
  const named = rows
    .slice(0, searchedRows)
    .map(row => new Set(row.map(cell => fieldNamed(kind, cell)).filter(Boolean)).size)
  const most = Math.max(...named)
  if (most > 0) return named.indexOf(most)
  return Math.max(
    0,
    rows.findIndex(row => row.filter(cell => cell !== '').length > 1),
  )
}
