/** Made from the contract by `npm run client`. */
export interface Calls {
  '/users/loginstate': {
    input: {}
    answer:
      | {
          isAuthenticated: true
          username: string
          fullname: string
          type: 'user' | 'admin' | 'superuser'
          lang: 'dut' | 'fre' | 'eng' | 'ger'
          lang_iso: 'nl' | 'fr' | 'en' | 'de'
          seq_id: number | null
          warehouse?: true
          vehicleRegister?: true
          sendsMail?: true
        }
      | {
          isAuthenticated: false
          sendsMail?: true
        }
  }
  '/hotelconfig/tsconfigdata': {
    input: {}
    answer: {
      vehicleTypes: {
        vet_description: [string]
      }[]
      labelReports: LabelReport[]
    }
  }
  '/fleet/getvehicleconfigs': {
    input: {}
    answer: {
      vehicleConfigs: VehicleConfig[]
    }
  }
  '/hotelconfig/adminconfig': {
    input: {
      id?: number | string
    }
    answer: {
      name: string
      lang: 'dut' | 'fre' | 'eng' | 'ger'
      navlogoPath: string | null
      landinglogoPath: string | null
      faviconPath: string | null
      adminEmail: string
      mode: 'hotelonly' | 'fleetonly' | 'both'
      time_zone: string
      site_number: number
      allowUnknownArticle: boolean
      unknownWinterArticleId: number | null
      unknownSummerArticleId: number | null
      unknownAllSeasonArticleId: number | null
      unknownSnowArticleId: number | null
      allowDetailedStockReport: boolean
      allowProfileDepth: boolean
      allowTachometer: boolean
      showTyresOnVehicle: boolean
      showTyresAtCustomer: boolean
      showWasteTyres: boolean
      minTreadSummer?: number
      minTreadWinter?: number
      minTreadTruckSummer?: number
      minTreadTruckWinter?: number
      invoicing_quantity: 'per_set' | 'per_tyre'
      invoicing_mode: 'per_day' | 'per_period'
      invoicing_period: number
      invoicing_article_id: number | null
      invoicing_document_type: 'reservation' | 'worknote' | 'deliverynote'
      autoProcessIntakeOnFullScan: boolean
      doDocInsert: boolean
      docInsertType: 'reservation' | 'worknote' | 'deliverynote'
      docInsertAsks?: boolean
      docInsertExceptions: ('to_stock' | 'to_customer' | 'to_waste')[]
      transportMethods: TransportMethod[]
      closedDays?: {
        day: string
        holiday:
          | (
              | 'newYear'
              | 'epiphany'
              | 'maundyThursday'
              | 'goodFriday'
              | 'easterMonday'
              | 'kingsDay'
              | 'labourDay'
              | 'constitutionDay'
              | 'earlyMay'
              | 'springBank'
              | 'liberationDay'
              | 'victoryDay'
              | 'europeDay'
              | 'ascension'
              | 'whitMonday'
              | 'corpusChristi'
              | 'midsummer'
              | 'cyrilAndMethodius'
              | 'janHus'
              | 'nationalDay'
              | 'assumption'
              | 'statehoodDay'
              | 'germanUnity'
              | 'saintFrancis'
              | 'allSaints'
              | 'armistice'
              | 'freedomDay'
              | 'immaculateConception'
              | 'christmasEve'
              | 'christmas'
              | 'secondChristmas'
            )
          | null
        name: string
      }[]
      services: {
        _id: number
        icon: string | null
        name: string
        operation_type: 'to_stock' | 'to_customer' | 'to_waste'
        article_number: string | null
        article_insertion_method: 'per_tyre' | 'global' | 'text_line'
        preselected: boolean
        blocked: boolean
        description_nl: string
        description_fr: string
        description_en: string
        description_de: string
        price_excl: number
      }[]
      _id: number
      version: number
      urls: string[]
      webstreamAccount: string
      default_site_code: string
      invoicing_price_excl: number
      adminsNeedFactor?: boolean
      adminSessionHours?: number
    }
  }
  '/hotelconfig/plannedrecalls': {
    input: {
      id?: number | string
      days: string[]
    }
    answer: {
      day: string
      recalls: number
    }[]
  }
  '/hotelconfig/transportusage': {
    input: {
      id?: number | string
      transport: number | string
    }
    answer: {
      recalls: number
    }
  }
  '/hotelconfig/vehicleconfigs': {
    input: {}
    answer: {
      _id: number
      vehicles: number
      removed: number
      config: VehicleConfig
    }[]
  }
  '/hotelconfig/labelreports': {
    input: {}
    answer: {
      rpt_number: [number]
      rpt_name: [string]
      rpt_layout: ['roll_62x100' | 'roll_57x32' | 'sheet_a4_2x7']
    }[]
  }
  '/labels/day': {
    input: {
      day: string
    }
    answer: {
      waiting: number
      printed: number
    }
  }
  '/labels/print': {
    input: {
      day: string
      report_id: number | string
      again?: boolean
    }
    answer: string
  }
  '/labels/printers': {
    input: {}
    answer: {
      name: string
    }[]
  }
  '/labels/send': {
    input: {
      printer: string
      report_id: number | string
      tyres?: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
      day?: string
      again?: boolean
    }
    answer: {
      labels: number
    }
  }
  '/counts/all': {
    input: {}
    answer: {
      _id: number
      place: string
      day: string | null
      started: string
      by: string
      ended: string | null
      counted: number
      clean: number
      found: number
      moved: number
      twice: number
      foreign: number
      unknown: number
      missing: number
      places: number | null
      open: number
    }[]
  }
  '/counts/start': {
    input: {
      location: number | string
    }
    answer: {
      count: number
      places: number
    }
  }
  '/counts/places': {
    input: {
      count: number | string
    }
    answer: {
      _id: number
      place: string
      day: string | null
      started: string
      by: string
      ended: string | null
      places: {
        _id: number
        stock_site_name: string
        stock_rack: string
        counted: boolean
      }[]
    }
  }
  '/counts/next': {
    input: {}
    answer: {
      _id: number
      stock_site_name: string
      stock_rack: string
      why: ('moves' | 'splits' | 'anyway' | 'days')[]
      days: number | null
    }[]
  }
  '/counts/place': {
    input: {
      count?: (number | string) | null
      location: number | string
      ticsId?: number | null
      scanId: string
      timestamp?: string | number
      wheels: {
        db_id?: number | string
        ticsId?: number | null
      }[]
    }
    answer: {
      count: number
      location: number | null
      stock_rack: string
      found: number
      differences: {
        finding: number
        outcome: 'moved' | 'twice' | 'foreign' | 'unknown' | 'missing'
        counted_at: string
        location: number | null
        zone: string
        stock_rack: string
        db_id: number | null
        flt_id: number | null
        companyname: string
        license_plate: string
        position: string
        description: string
        label_site: number | null
        label_tyre: number | null
        belongs: number | null
        belongs_rack: string
        seen_rack: string
        open: boolean
        placeable: boolean
        solved: ('here' | 'back' | 'again' | 'miss' | 'done') | null
        reason: string | null
      }[]
    }
  }
  '/counts/solve': {
    input: {
      finding: number | string
      how: 'here' | 'back' | 'again' | 'miss' | 'done'
      reason?: string
    }
    answer: {
      finding: number
    }
  }
  '/counts/end': {
    input: {
      count: number | string
    }
    answer: {
      count: number
    }
  }
  '/counts/report': {
    input: {
      count: number | string
    }
    answer: {
      count: {
        _id: number
        place: string
        day: string | null
        started: string
        by: string
        ended: string | null
        counted: number
        clean: number
        found: number
        moved: number
        twice: number
        foreign: number
        unknown: number
        missing: number
        places: number | null
        open: number
      }
      zones: {
        zone: string
        counted: number
        clean: number
        found: number
        moved: number
        twice: number
        foreign: number
        unknown: number
        missing: number
      }[]
      differences: {
        finding: number
        outcome: 'moved' | 'twice' | 'foreign' | 'unknown' | 'missing'
        counted_at: string
        location: number | null
        zone: string
        stock_rack: string
        db_id: number | null
        flt_id: number | null
        companyname: string
        license_plate: string
        position: string
        description: string
        label_site: number | null
        label_tyre: number | null
        belongs: number | null
        belongs_rack: string
        seen_rack: string
        open: boolean
        placeable: boolean
        solved: ('here' | 'back' | 'again' | 'miss' | 'done') | null
        reason: string | null
      }[]
    }
  }
  '/customers/list': {
    input: {
      search?: string
      last_customer?: number | string
    }
    answer: {
      customers: {
        seq_id: [number]
        name: [string]
        companyname: [string]
        street: [string]
        zipcode: [string]
        city: [string]
        vehicles: [number]
        code: [string]
        email: [string]
        min_tread_summer?: [number | null]
        min_tread_winter?: [number | null]
        tyres: [number]
        in_stock: [number]
        accounts: [number]
      }[]
      total: number
    }
  }
  '/customers/customer': {
    input: {
      seq_id: number | string
    }
    answer: {
      seq_id: [number]
      name: [string]
      companyname: [string]
      street: [string]
      zipcode: [string]
      city: [string]
      vehicles: [number]
      code: [string]
      email: [string]
      min_tread_summer?: [number | null]
      min_tread_winter?: [number | null]
      tyres: [number]
      in_stock: [number]
      accounts: [number]
    }
  }
  '/customers/save': {
    input: {
      seq_id?: number | string
      code?: string
      name?: string
      companyname?: string
      street?: string
      zipcode?: string
      city?: string
      email?: string
      min_tread_summer?: number | null
      min_tread_winter?: number | null
    }
    answer: {
      seq_id: [number]
      name: [string]
      companyname: [string]
      street: [string]
      zipcode: [string]
      city: [string]
      vehicles: [number]
      code: [string]
      email: [string]
      min_tread_summer?: [number | null]
      min_tread_winter?: [number | null]
      tyres: [number]
      in_stock: [number]
      accounts: [number]
    }
  }
  '/customers/import': {
    input: {
      csv: string
      name?: string
      dryRun?: boolean
    }
    answer: {
      rows: number
      added: number
      changed: number
      unchanged: number
      refused: number
      lines: {
        line: number
        reason: string
      }[]
      notes: string[]
    }
  }
  '/imports/check': {
    input: {
      kind: 'vehicles' | 'tyres' | 'articles' | 'customers' | 'locations' | 'services' | 'accounts'
      name?: string
      seq_id?: number | string
      sheet?: number
      header?: number
      columns?: string
    }
    answer: {
      sheets: string[]
      sheet: number
      header: number
      columns: {
        title: string
        field: string | null
        by: ('memory' | 'name' | 'content') | null
        samples: string[]
      }[]
      missing: string[]
      rows: number
      added: number
      changed: number
      unchanged: number
      refused: number
      preview: {
        row: number
        outcome: 'added' | 'changed' | 'unchanged'
        cells: string[]
      }[]
      refusals: {
        row: number
        column: number | null
        reason: string
        cells: string[]
      }[]
      notes: string[]
    }
  }
  '/imports/take': {
    input: {
      kind: 'vehicles' | 'tyres' | 'articles' | 'customers' | 'locations' | 'services' | 'accounts'
      name?: string
      seq_id?: number | string
      sheet?: number
      header?: number
      columns?: string
      rows?: 'all' | 'good'
    }
    answer: {
      _id: number
      rows: number
      added: number
      changed: number
      unchanged: number
      refused: number
      notes: string[]
    }
  }
  '/imports/progress': {
    input: {}
    answer: {
      rows: number
      of: number
    } | null
  }
  '/imports/list': {
    input: {}
    answer: {
      _id: number
      kind: 'vehicles' | 'tyres' | 'articles' | 'customers' | 'locations' | 'services' | 'accounts'
      file: string
      at: string
      by: string | null
      rows: number
      added: number
      changed: number
      unchanged: number
      refused: number
      undone: string | null
    }[]
  }
  '/imports/undo': {
    input: {
      _id: number | string
    }
    answer: {
      _id: number
      kind: 'vehicles' | 'tyres' | 'articles' | 'customers' | 'locations' | 'services' | 'accounts'
      file: string
      at: string
      by: string | null
      rows: number
      added: number
      changed: number
      unchanged: number
      refused: number
      undone: string | null
    }
  }
  '/articles/list': {
    input: {
      search?: string
      retired?: boolean
      last_article?: number | string
    }
    answer: {
      articles: {
        _id: number
        brand: string
        pattern: string
        dimension: string
        load_index: string
        speed_index: string
        season: ('winter' | 'summer' | 'all_season' | 'snow') | null
        ean: string
        eprel: string
        fuel_class: string
        wet_class: string
        noise_db: number | null
        description: string
        retired: boolean
        tyres: number
      }[]
      more: boolean
    }
  }
  '/articles/save': {
    input: {
      _id?: number | string
      brand: string
      pattern: string
      dimension: string
      load_index: string
      speed_index: string
      season: ('winter' | 'summer' | 'all_season' | 'snow') | null
      ean: string
      eprel: string
      fuel_class: string
      wet_class: string
      noise_db: number | null
      description: string
    }
    answer: {
      _id: number
      brand: string
      pattern: string
      dimension: string
      load_index: string
      speed_index: string
      season: ('winter' | 'summer' | 'all_season' | 'snow') | null
      ean: string
      eprel: string
      fuel_class: string
      wet_class: string
      noise_db: number | null
      description: string
      retired: boolean
      tyres: number
    }
  }
  '/articles/retire': {
    input: {
      _id: number | string
      retired: boolean
    }
    answer: {
      _id: number
      brand: string
      pattern: string
      dimension: string
      load_index: string
      speed_index: string
      season: ('winter' | 'summer' | 'all_season' | 'snow') | null
      ean: string
      eprel: string
      fuel_class: string
      wet_class: string
      noise_db: number | null
      description: string
      retired: boolean
      tyres: number
    }
  }
  '/articles/unknown': {
    input: {}
    answer: {
      description: string
      season: ('winter' | 'summer' | 'all_season' | 'snow') | null
      tyres: number
    }[]
  }
  '/articles/merge': {
    input: {
      from:
        | {
            _id: number | string
          }
        | {
            description: string
            season: ('winter' | 'summer' | 'all_season' | 'snow') | null
          }
      into: number | string
    }
    answer: {
      tyres: number
    }
  }
  '/fleet/fetch': {
    input: {
      seq_id?: number | string
      search?: string
      license_plate?: string
      last_vehicle?: number | string
      first?: number
      tyre_status?: ('on_vehicle' | 'in_stock' | 'on_spare' | 'waste' | 'at_customer')[]
      tyre_season?: ('winter' | 'summer' | 'all_season' | 'snow')[]
      tyre_depth?: number
    }
    answer: Vehicle[]
  }
  '/fleet/health': {
    input: {
      seq_id?: number | string
    }
    answer: {
      illegal: {
        vehicles: number
        count: number
        first: {
          flt_id: number
          license_plate: string
        }[]
      } | null
      worn: {
        vehicles: number
        count: number
        first: {
          flt_id: number
          license_plate: string
        }[]
      } | null
      reaching?: {
        vehicles: number
        count: number
        first: {
          flt_id: number
          license_plate: string
        }[]
      } | null
      unmeasured: {
        vehicles: number
        count: number
        first: {
          flt_id: number
          license_plate: string
        }[]
      } | null
      lackingWinter: {
        vehicles: number
        count: number
        first: {
          flt_id: number
          license_plate: string
        }[]
      }
      withoutWinter: {
        vehicles: number
        count: number
        first: {
          flt_id: number
          license_plate: string
        }[]
      }
      longStored: {
        vehicles: number
        count: number
        first: {
          flt_id: number
          license_plate: string
        }[]
      } | null
      incomplete: {
        vehicles: number
        count: number
        first: {
          flt_id: number
          license_plate: string
        }[]
      }
      delivered: {
        operations: number
        tyres: number
      } | null
    }
  }
  '/fleet/reaching': {
    input: {
      seq_id?: number | string
    }
    answer: {
      tyres: number[]
      days?: {
        tyre: number
        limit: number
        from: string
        until: string
      }[]
    }
  }
  '/fleet/nearing': {
    input: {
      seq_id?: number | string
      season: 'winter' | 'summer'
    }
    answer: {
      tyres: {
        tyre: number
        from: string
        until: string
      }[]
    }
  }
  '/fleet/vehicle': {
    input: {
      flt_id: number | string
    }
    answer: Vehicle
  }
  '/fleet/registered': {
    input: {
      license_plate: string
    }
    answer: {
      state: 'off' | 'unknown' | 'found' | 'unavailable'
      vehicle: {
        brand: string
        description: string
        type: ('car' | 'van' | 'truck' | 'suv' | 'trailer' | 'caravan' | 'bus' | 'tractor' | 'motorcycle') | null
        first_admission: string | null
        wheels: number | null
      } | null
    }
  }
  '/fleet/new': {
    input: {
      vehicleData: {
        license_plate: string
        number?: string
        chassis_number?: string
        brand: string
        description: string
        type: string
        configuration: string
        cost_centre?: string
        yearly_distance?: number | null
        driver?: {
          name?: string
          mobile_no?: string
          telephone_no?: string
          email?: '' | string
        }
      }
      seq_id?: number | string
    }
    answer: Vehicle
  }
  '/fleet/update': {
    input: {
      vehicle: {
        license_plate?: string
        number?: string
        chassis_number?: string
        brand?: string
        description?: string
        type?: string
        configuration?: string
        cost_centre?: string
        yearly_distance?: number | null
        driver?: {
          name?: string
          mobile_no?: string
          telephone_no?: string
          email?: '' | string
        }
        flt_id: number | string
      }
    }
    answer: {
      updatedVehicle: Vehicle
    }
  }
  '/fleet/inactivate': {
    input: {
      flt_id: number | string
    }
    answer: {
      flt_id: number
    }
  }
  '/fleet/transfer': {
    input: {
      flt_id: number | string
      seq_id: number | string
      date: string
    }
    answer: Vehicle
  }
  '/fleet/history': {
    input: {
      flt_id: number | string
    }
    answer: Document[]
  }
  '/fleet/historydocument': {
    input: {
      db_id: number | string
      doctype?: 'reservation' | 'worknote' | 'deliverynote' | 'sales_document'
    }
    answer: string
  }
  '/fleet/searcharticles': {
    input: {
      search_value: string
      last_article?: (number | string) | null
    }
    answer: {
      articles: Article[]
      more_available: boolean
    }
  }
  '/fleet/findcustomerbyname': {
    input: {
      string: string
    }
    answer: Customer[]
  }
  '/fleet/getTyreLabels': {
    input: {
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
      report_id: number | string
    }
    answer: string
  }
  '/fleet/addtyres': {
    input: {
      flt_id: number | string
      tyre_set?: string | null
      tyres: (
        | {
            position: string
            art_id: number | string
          }
        | {
            position: string
            unknown: {
              type?: ('winter' | 'summer' | 'all_season' | 'snow') | null
              description?: string | null
            }
          }
      )[]
    }
    answer: Tyre[]
  }
  '/fleet/changetyreset': {
    input: {
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
      tyre_set: string
    }
    answer: Tyre[]
  }
  '/fleet/undotyreset': {
    input: {
      tyres: {
        db_id: number | string
        tyre_set: string | null
      }[]
      expected: string
    }
    answer: Tyre[]
  }
  '/fleet/refittyre': {
    input: {
      db_id: number | string
      flt_id: number | string
      position: string
      tyre_set?: string | null
    }
    answer: Tyre[]
  }
  '/fleet/deletetyres': {
    input: {
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
    }
    answer: {
      removed: number[]
    }
  }
  '/fleet/measuretyres': {
    input: {
      readings: {
        db_id: number | string
        profile_depth: number
        profile_date: string
        profile_tacho?: number | null
      }[]
      deeper?: boolean
    }
    answer: Tyre[]
  }
  '/fleet/unmeasuretyres': {
    input: {
      readings: {
        db_id: number | string
        profile_depth: number
        profile_date: string
      }[]
    }
    answer: Tyre[]
  }
  '/fleet/notetyredot': {
    input: {
      db_id: number | string
      dot: string
      retreaded: string
      expected?: {
        dot: string
        retreaded: string
      }
    }
    answer: {
      tyre: number
      dot: string
      retreaded: string
    }
  }
  '/fleet/tyredots': {
    input: {
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
    }
    answer: {
      tyre: number
      dot: string
      retreaded: string
    }[]
  }
  '/fleet/tyreevents': {
    input: {
      flt_id?: number | string
      tyres?: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
    }
    answer: {
      tyre: number
      kind: string
      at: string
      by: string | null
      operation: number | null
      status: string | null
      rack: string | null
      depth: number | null
      odometer: number | null
      undone?: boolean
      note: string
      position: string
      description: string
    }[]
  }
  '/fleet/tyreforecast': {
    input: {
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
    }
    answer: {
      tyre: number
      limit: number
      from: string | null
      until: string | null
    }[]
  }
  '/fleet/findtyre': {
    input: {
      tyre: number | string
    }
    answer: {
      db_id: number
      flt_id: number
      companyname: string
      license_plate: string
      position: string
      description: string
      tyre_status: 'on_vehicle' | 'in_stock' | 'on_spare' | 'waste' | 'at_customer'
      stock_rack: string
    }[]
  }
  '/fleet/recentStockLocations': {
    input: {
      tyreIds: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
    }
    answer: {
      fsh_fleettyre: [number]
      fsh_stocklocation: [string]
    }[]
  }
  '/operations/new': {
    input: {
      operation: {
        flt_id: number | string
        tyres: (
          | (number | string)
          | {
              db_id: number | string
            }
        )[]
        operationType: 'to_stock' | 'to_customer' | 'to_waste'
        vehicle?: unknown
      }
    }
    answer: Operation
  }
  '/operations/update': {
    input: {
      operation: {
        _id: number | string
        status?: 'pending' | 'submitted' | 'confirmed' | 'cancelled'
        services?: (number | string)[]
        transport?: (number | string) | null
        deliveryDate?: string | null
        remarks?: string
        withRims?: ('steel' | 'aluminum') | null
        withBolts?: boolean
        withHubcaps?: boolean
        wornTyres?: ('keep' | 'quote') | null
        tachometer?: number | null
        expected?: {
          updated?: string
          services?: (number | string)[]
          transport?: (number | string) | null
          deliveryDate?: string | null
          remarks?: string
          withRims?: ('steel' | 'aluminum') | null
          withBolts?: boolean
          withHubcaps?: boolean
          wornTyres?: ('keep' | 'quote') | null
          tachometer?: number | null
        }
      }
    }
    answer: Operation
  }
  '/operations/delete': {
    input: {
      operation: {
        _id: number | string
      }
    }
    answer: {
      _id: number
    }
  }
  '/operations/fetch': {
    input: {
      seq_id?: number | string
    }
    answer: Operation[]
  }
  '/operations/bookedtransportdays': {
    input: {
      transportMethod?:
        | (number | string)
        | {
            _id: number | string
          }
      type?: 'to_customer' | 'to_stock'
    }
    answer: string[]
  }
  '/operations/plan': {
    input: {
      transport: number | string
      from: string
      until: string
      counts: number[]
      returns?: number[]
    }
    answer: {
      days: (string | null)[]
      open: string[]
    }
  }
  '/operations/swap': {
    input: {
      flt_id: number | string
      recall: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
      store?: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
      transport: number | string
      deliveryDate: string
      wornTyres?: 'keep' | 'quote'
      withRims?: ('steel' | 'aluminum') | null
      withBolts?: boolean
      withHubcaps?: boolean
    }
    answer: {
      recall: Operation
      storage: Operation | null
    }
  }
  '/operations/completedbydate': {
    input: {
      startDate: string
      endDate: string
      seq_id?: number | string
    }
    answer: Operation[]
  }
  '/operations/admin': {
    input: {
      status: 'pending' | 'submitted'
    }
    answer: Operation[]
  }
  '/operations/adminopsbydate': {
    input: {
      startDate: string
      endDate: string
    }
    answer: Operation[]
  }
  '/operations/adminopsbydate_light': {
    input: {
      startDate: string
      endDate: string
    }
    answer: {
      seq_id: number
      companyname: string
      total: number
      to_customer: number
      to_stock: number
      to_waste: number
    }[]
  }
  '/operations/cancel': {
    input: {
      operation: {
        _id: number | string
      }
    }
    answer: Operation
  }
  '/operations/reschedule': {
    input: {
      operation: {
        _id: number | string
        transport?: (number | string) | null
        deliveryDate?: string | null
        expected?: {
          updated?: string
        }
      }
    }
    answer: Operation
  }
  '/operations/withdraw': {
    input: {
      operation: {
        _id: number | string
        expected?: {
          updated?: string
        }
      }
    }
    answer: Operation
  }
  '/operations/confirm': {
    input: {
      operation: {
        _id: number | string
      }
      anyway?: boolean
      here?:
        | 'all'
        | (
            | (number | string)
            | {
                db_id: number | string
              }
          )[]
      document?: boolean
    }
    answer: Operation
  }
  '/operations/missing': {
    input: {}
    answer: {
      operation: number
      type: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare'
      db_id: number
      flt_id: number
      seq_id: number
      companyname: string
      license_plate: string
      position: string
      description: string
      tyre_set: string
      since: string
      by: string
    }[]
  }
  '/operations/closemissing': {
    input: {
      operation: number | string
      db_id: number | string
      reason: string
    }
    answer: {
      db_id: number
    }
  }
  '/operations/noshow': {
    input: {
      operation: number | string
    }
    answer: {
      operation: number
      day: string
      charged: boolean
    }
  }
  '/operations/markscan': {
    input: {
      operation?: {
        _id: number | string
      }
      tyres?: {
        tyreId?: number | string
        db_id?: number | string
        ticsId?: number | null
        timestamp?: string | number
        scanId?: string
      }[]
      type?: 'to_stock' | 'to_customer' | 'to_waste'
    }
    answer: OperationTyre[]
  }
  '/operations/trail': {
    input: {
      seq_id?: number | string
    }
    answer: {
      operation: number
      tyres: number
      picked: number
      staged: number
      loaded: number
      delivered: number
      missing: number
      documents: {
        db_id: number
        document_number_text: string
        document_type: 'reservation' | 'worknote' | 'deliverynote'
      }[]
    }[]
  }
  '/operations/unscan': {
    input: {
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
    }
    answer: {
      unscanned: number[]
    }
  }
  '/invoicing/customers': {
    input: {
      days: number
    }
    answer: {
      seq_id: [number]
      name: [string]
      companyname: [string]
      street: [string]
      zipcode: [string]
      city: [string]
      tyres: [number]
      since: [string]
      overdue_days: [number]
    }[]
  }
  '/invoicing/tyres': {
    input: {
      seq_id: number | string
      days: number
      paid?: boolean
    }
    answer: {
      db_id: [number]
      flt_id: [number]
      license_plate: [string]
      position: [string]
      description: [string]
      tyre_set: [string]
      status_date: [string]
      invoicedAt: [string | null]
      overdue_days: [number]
      stock_rack: [string | null]
      stock_site_name: [string | null]
      document: [string | null]
      document_date: [string | null]
      paid_until: [string | null]
      owed_days: [number]
      waived_days: [number]
      waived_reason: [string | null]
    }[]
  }
  '/invoicing/preview': {
    input: {
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
      seq_id: number | string
      left?: boolean
    }
    answer: {
      document_type: 'reservation' | 'worknote' | 'deliverynote'
      date: string
      lines: {
        article_number: string
        description: string
        quantity: number
        price_excl: number
        amount_excl: number
        kind?: 'storage' | 'overstay' | 'service' | 'disposal' | 'no_show' | 'minimum'
        rule?: number
        vat_rate?: number
      }[]
      tyres: number
      quantity: number
      amount_excl: number
    }
  }
  '/invoicing/inject': {
    input: {
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
      seq_id: number | string
      left?: boolean
    }
    answer: Document
  }
  '/invoicing/waive': {
    input: {
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
      seq_id: number | string
      left?: boolean
      reason: string
    }
    answer: {
      tyres: number[]
      days: number
    }
  }
  '/invoicing/unwaive': {
    input: {
      _id: number | string
      reason: string
    }
    answer: {
      days: number
    }
  }
  '/invoicing/waivers': {
    input: {}
    answer: {
      _id: number
      seq_id: number
      companyname: string
      license_plates: string[]
      vehicles: number
      tyres: number
      days: number
      at: string
      by: string
      reason: string
      taken_back: {
        at: string
        by: string
        reason: string
      } | null
    }[]
  }
  '/invoicing/left': {
    input: {}
    answer: {
      seq_id: [number]
      name: [string]
      companyname: [string]
      street: [string]
      zipcode: [string]
      city: [string]
      tyres: [number]
      since: [string]
      overdue_days: [number]
    }[]
  }
  '/invoicing/lefttyres': {
    input: {
      seq_id: number | string
    }
    answer: {
      db_id: [number]
      flt_id: [number]
      license_plate: [string]
      position: [string]
      description: [string]
      tyre_set: [string]
      status_date: [string]
      owed_days: [number]
      tyre_status: ['on_vehicle' | 'in_stock' | 'on_spare' | 'waste' | 'at_customer']
      left_date: [string]
    }[]
  }
  '/invoicing/credits': {
    input: {}
    answer: {
      db_id: [number]
      flt_id: [number]
      license_plate: [string]
      position: [string]
      tyre_set: [string]
      seq_id: [number]
      companyname: [string]
      left_date: [string]
      document: [string]
      unused_days: [number]
      amount_excl: [number | null]
    }[]
  }
  '/invoicing/credit': {
    input: {
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
      document?: string
      reason: string
    }
    answer: {
      tyres: number[]
    }
  }
  '/invoicing/markinvoiced': {
    input: {
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
      date: string
    }
    answer: {
      tyres: number[]
      date: string
    }
  }
  '/invoicing/unmarkinvoiced': {
    input: {
      tyreIds: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
    }
    answer: {
      tyres: number[]
    }
  }
  '/invoicing/undomarking': {
    input: {
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
    }
    answer: {
      tyres: number[]
    }
  }
  '/invoicing/withdraw': {
    input: {
      db_id: number | string
      reason: string
    }
    answer: {
      document: string
      tyres: number[]
      reference: string | null
    }
  }
  '/invoicing/documents': {
    input: {
      seq_id?: number | string
      last_document?: number | string
    }
    answer: {
      db_id: [number]
      document_number_text: [string]
      document_number_value: [number]
      date: [string]
      document_type: ['reservation' | 'worknote' | 'deliverynote']
      amount_excl: [number]
      seq_id: [number]
      companyname: [string]
      license_plate: [string | null]
      reason: ['operation' | 'storage' | 'delivery']
      withdrawn: [boolean]
      withdrawn_reason: [string | null]
      invoice?: [string | null]
    }[]
  }
  '/tariff/list': {
    input: {}
    answer: {
      _id: number
      kind: 'storage' | 'overstay' | 'service' | 'disposal' | 'no_show' | 'minimum'
      per: 'set' | 'tyre' | 'wheel' | 'operation' | 'document'
      mode: ('per_day' | 'per_period' | 'per_season') | null
      period: number | null
      size_class: ('small' | 'medium' | 'large' | 'truck') | null
      after_days: number | null
      service: {
        _id: number
        name: string
      } | null
      customer: {
        seq_id: number
        companyname: string
      } | null
      since: string
      until: string | null
      price_excl: number
      vat_rate: number | null
      article_number: string
      description: string
      used: boolean
    }[]
  }
  '/charges/list': {
    input: {
      seq_id?: number | string
      all?: boolean
    }
    answer: {
      _id: number
      seq_id: number
      companyname: string
      kind: 'overstay' | 'service' | 'disposal' | 'no_show'
      service: string | null
      license_plate: string | null
      position?: string | null
      day: string
      quantity: number
      price_excl: number
      amount_excl: number
      vat_rate: number | null
      state: 'owed' | 'charged' | 'waived'
      document: {
        db_id: number
        number: string
      } | null
      reason: string
      at: string
      by: string
      countered: boolean
      counters: number | null
    }[]
  }
  '/charges/preview': {
    input: {
      seq_id: number | string
    }
    answer: {
      document_type: 'reservation' | 'worknote' | 'deliverynote'
      date: string
      lines: {
        article_number: string
        description: string
        quantity: number
        price_excl: number
        amount_excl: number
        kind?: 'storage' | 'overstay' | 'service' | 'disposal' | 'no_show' | 'minimum'
        rule?: number
        vat_rate?: number
      }[]
      tyres: number
      quantity: number
      amount_excl: number
    }
  }
  '/charges/inject': {
    input: {
      seq_id: number | string
    }
    answer: Document
  }
  '/charges/waive': {
    input: {
      charges: (number | string)[]
      reason: string
    }
    answer: {
      charges: number[]
    }
  }
  '/charges/unwaive': {
    input: {
      _id: number | string
      reason: string
    }
    answer: {
      _id: number
    }
  }
  '/charges/counter': {
    input: {
      _id: number | string
      reason: string
    }
    answer: {
      _id: number
    }
  }
  '/billing/list': {
    input: {}
    answer: {
      _id: number
      covers: 'all' | 'stored' | 'left'
      until: string
      days: number
      marks: boolean
      state: 'counting' | 'ready' | 'making' | 'stopped' | 'made' | 'undoing' | 'undone' | 'discarded'
      reason: string | null
      at: string
      by: string
      customers: number
      waiting: number
      done: number
      changed: number
      failed: number
      mailed?: number
      tyres: number
      amount_excl: number
      made_excl: number
    }[]
  }
  '/billing/read': {
    input: {
      _id: number | string
    }
    answer: {
      _id: number
      covers: 'all' | 'stored' | 'left'
      until: string
      days: number
      marks: boolean
      state: 'counting' | 'ready' | 'making' | 'stopped' | 'made' | 'undoing' | 'undone' | 'discarded'
      reason: string | null
      at: string
      by: string
      customers: number
      waiting: number
      done: number
      changed: number
      failed: number
      mailed?: number
      tyres: number
      amount_excl: number
      made_excl: number
      rows: {
        seq_id: number
        companyname: string
        city: string
        state: 'waiting' | 'counted' | 'left_out' | 'made' | 'changed' | 'failed' | 'undone'
        tyres: number
        days: number
        quantity: number
        charges: number
        parts: {
          [k: string]: number
        }
        amount_excl: number
        last_excl: number | null
        remarks: ('price_missing' | 'vat_number_invalid' | 'retired' | 'unusual' | 'address_missing')[]
        document: {
          db_id: number
          number: string
        } | null
      }[]
    }
  }
  '/billing/begin': {
    input: {
      covers: 'all' | 'stored' | 'left'
      until: string
      days: number
      marks: boolean
    }
    answer: {
      _id: number
    }
  }
  '/billing/make': {
    input: {
      _id: number | string
      without?: (number | string)[]
    }
    answer: {
      _id: number
    }
  }
  '/billing/cancel': {
    input: {
      _id: number | string
    }
    answer: {
      _id: number
      state: 'counting' | 'ready' | 'making' | 'stopped' | 'made' | 'undoing' | 'undone' | 'discarded'
    }
  }
  '/billing/resume': {
    input: {
      _id: number | string
    }
    answer: {
      _id: number
    }
  }
  '/billing/undo': {
    input: {
      _id: number | string
      reason: string
    }
    answer: {
      _id: number
    }
  }
  '/billing/pdf': {
    input: {
      _id: number | string
    }
    answer: string
  }
  '/billing/zip': {
    input: {
      _id: number | string
    }
    answer: string
  }
  '/billing/mail': {
    input: {
      _id: number | string
    }
    answer: {
      messages: number
      without: number
    }
  }
  '/invoices/settings': {
    input: {}
    answer: {
      company_scheme: string | null
      peppol_scheme: string | null
      country: string | null
      vat_number: string
      company_number: string
      peppol_id: string
      legal_name: string
      exemption: string
      invoices: boolean
      street: string
      zipcode: string
      city: string
      email: string
      iban: string
      bic: string
      payment_days: number
      invoice_series: string
      credit_series: string
      vat_rate: number
      note: string
      sends: boolean
      access_point: boolean
    }
  }
  '/invoices/buyer': {
    input: {
      seq_id: number | string
    }
    answer: {
      seq_id: number
      company_scheme: string | null
      peppol_scheme: string | null
      country: string | null
      vat_number: string
      company_number: string
      peppol_id: string
      legal_name: string
      exemption: string
      buyer_reference: string
    }
  }
  '/invoices/savebuyer': {
    input: {
      legal_name: string
      country:
        | (
            | 'AT'
            | 'BE'
            | 'BG'
            | 'CY'
            | 'CZ'
            | 'DE'
            | 'DK'
            | 'EE'
            | 'ES'
            | 'FI'
            | 'FR'
            | 'GR'
            | 'HR'
            | 'HU'
            | 'IE'
            | 'IT'
            | 'LT'
            | 'LU'
            | 'LV'
            | 'MT'
            | 'NL'
            | 'PL'
            | 'PT'
            | 'RO'
            | 'SE'
            | 'SI'
            | 'SK'
            | 'CH'
            | 'GB'
            | 'LI'
            | 'NO'
          )
        | null
      vat_number: string
      company_scheme:
        | (
            | '9914'
            | '9920'
            | '9925'
            | '9930'
            | '9932'
            | '9938'
            | '9944'
            | '9957'
            | '0208'
            | '0106'
            | '0190'
            | '0002'
            | '0009'
            | '0204'
            | '0184'
            | '0192'
            | '0007'
            | '0088'
          )
        | null
      company_number: string
      peppol_scheme:
        | (
            | '9914'
            | '9920'
            | '9925'
            | '9930'
            | '9932'
            | '9938'
            | '9944'
            | '9957'
            | '0208'
            | '0106'
            | '0190'
            | '0002'
            | '0009'
            | '0204'
            | '0184'
            | '0192'
            | '0007'
            | '0088'
          )
        | null
      peppol_id: string
      buyer_reference: string
      exemption: string
      seq_id: number | string
    }
    answer: {
      seq_id: number
      company_scheme: string | null
      peppol_scheme: string | null
      country: string | null
      vat_number: string
      company_number: string
      peppol_id: string
      legal_name: string
      exemption: string
      buyer_reference: string
    }
  }
  '/invoices/open': {
    input: {
      seq_id: number | string
    }
    answer: {
      db_id: number
      number: string
      date: string
      document_type: 'reservation' | 'worknote' | 'deliverynote'
      reason: 'operation' | 'storage' | 'delivery'
      amount_excl: number
      license_plate: string | null
    }[]
  }
  '/invoices/list': {
    input: {
      seq_id?: number | string
      last_invoice?: number | string
    }
    answer: {
      _id: number
      number: string
      kind: 'invoice' | 'credit_note'
      issued_on: string
      due_on: string | null
      seq_id: number
      companyname: string
      net: number
      vat: number
      gross: number
      reason: string
      credits: string | null
      credited_by: string | null
      credited_in_part: string[]
      documents: string[]
      sending: {
        state: 'waiting' | 'sent' | 'refused'
        tries: number
        tried: string | null
        problem: '' | 'rules' | 'status' | 'address' | 'unreachable' | 'unusable' | 'credited'
        status: number | null
        answer: string
      } | null
    }[]
  }
  '/invoices/make': {
    input: {
      seq_id: number | string
      documents: (number | string)[]
    }
    answer: {
      _id: number
      number: string
    }
  }
  '/invoices/makerun': {
    input: {
      _id: number | string
    }
    answer: {
      made: number
      left: number
    }
  }
  '/invoices/credit': {
    input: {
      _id: number | string
      reason: string
      lines?: number[]
    }
    answer: {
      _id: number
      number: string
    }
  }
  '/invoices/lines': {
    input: {
      _id: number | string
    }
    answer: {
      line: number
      description: string
      quantity: number
      price_excl: number
      net: number
      category: 'S' | 'Z' | 'E' | 'AE'
      vat_rate: number
      credited_by: string | null
    }[]
  }
  '/invoices/send': {
    input: {
      _id: number | string
    }
    answer: {}
  }
  '/invoices/pdf': {
    input: {
      _id: number | string
    }
    answer: string
  }
  '/invoices/ubl': {
    input: {
      _id: number | string
    }
    answer: {
      name: string
      xml: string
    }
  }
  '/invoices/mapping': {
    input: {}
    answer: {
      rows: 'invoice' | 'rate'
      separator: 'semicolon' | 'comma' | 'tab'
      decimal: 'comma' | 'point'
      date: 'yyyy-mm-dd' | 'dd-mm-yyyy' | 'dd/mm/yyyy' | 'dd.mm.yyyy' | 'yyyymmdd'
      headings: boolean
      negative: boolean
      customer_account: string
      columns: {
        heading: string
        field:
          | 'number'
          | 'kind'
          | 'issued'
          | 'due'
          | 'period'
          | 'customer_code'
          | 'customer_name'
          | 'vat_number'
          | 'country'
          | 'reference'
          | 'documents'
          | 'credits'
          | 'description'
          | 'customer_account'
          | 'account'
          | 'vat_code'
          | 'category'
          | 'rate'
          | 'net'
          | 'vat'
          | 'gross'
          | 'currency'
          | 'text'
        text: string
      }[]
      accounts: {
        category: 'S' | 'Z' | 'E' | 'AE'
        rate: number
        account: string
        vat_code: string
      }[]
    }
  }
  '/invoices/export': {
    input: {
      from: string
      to: string
    }
    answer: {
      csv: string
      invoices: number
      unmapped: {
        category: 'S' | 'Z' | 'E' | 'AE'
        rate: number
      }[]
    }
  }
  '/locations/all': {
    input: {}
    answer: {
      _id: number
      parent: number | null
      kind: 'site' | 'zone' | 'rack' | 'shelf' | 'place' | 'cart' | 'lane'
      name: string
      stock_site_name: string
      stock_rack: string
      walk: number
      capacity: number
      tyres: number
      coming?: number
      maxDiameter?: number | null
      maxWidth?: number | null
      maxWeight?: number | null
      takes?: ('tyre' | 'wheel') | null
    }[]
  }
  '/locations/tyres': {
    input: {
      _id: number | string
    }
    answer: {
      db_id: number
      flt_id: number
      seq_id: number
      license_plate: string
      vehicle_type: string
      companyname: string
      position: string
      description: string
      tyre_set: string | null
      status_date: string
      stock_rack: string
      coming?: ('placed' | 'planned') | null
    }[]
  }
  '/locations/make': {
    input: {
      parent?: (number | string) | null
      levels: {
        kind: 'site' | 'zone' | 'rack' | 'shelf' | 'place' | 'cart' | 'lane'
        pattern: string
      }[]
      capacity: number
    }
    answer: {
      made: number
    }
  }
  '/locations/edit': {
    input: {
      _id: number | string
      name?: string
      capacity?: number
      walk?: number
      maxDiameter?: number | null
      maxWidth?: number | null
      maxWeight?: number | null
      takes?: ('tyre' | 'wheel') | null
    }
    answer: {
      _id: number
      parent: number | null
      kind: 'site' | 'zone' | 'rack' | 'shelf' | 'place' | 'cart' | 'lane'
      name: string
      stock_site_name: string
      stock_rack: string
      walk: number
      capacity: number
      tyres: number
      coming?: number
      maxDiameter?: number | null
      maxWidth?: number | null
      maxWeight?: number | null
      takes?: ('tyre' | 'wheel') | null
    }
  }
  '/locations/remove': {
    input: {
      _id: number | string
    }
    answer: {
      removed: number
    }
  }
  '/locations/move': {
    input: {
      tyres: (number | string)[]
      location: number | string
      ticsId?: number | null
      scanId?: string
      timestamp?: string | number
    }
    answer: {
      stock_site_name: string
      stock_rack: string
      moved: number[]
      planned: number[]
      former?: {
        db_id: number
        state:
          | 'expected'
          | 'received'
          | 'on_cart'
          | 'at_place'
          | 'picked'
          | 'staged'
          | 'loaded'
          | 'with_customer'
          | 'missing'
          | 'orphan'
          | 'scrapped'
        location: number | null
        kept: number | null
      }[]
    }
  }
  '/locations/unmove': {
    input: {
      location: number | string
      wheels: {
        db_id: number | string
        state: 'expected' | 'received' | 'on_cart' | 'at_place' | 'picked' | 'staged' | 'missing'
        location?: (number | string) | null
        kept?: (number | string) | null
      }[]
    }
    answer: {
      returned: number[]
    }
  }
  '/locations/plan': {
    input: {
      operation: number | string
    }
    answer: {
      db_id: number
      location: number
      stock_site_name: string
      stock_rack: string
    }[]
  }
  '/locations/labels': {
    input: {
      locations: (number | string)[]
      report_id: number | string
    }
    answer: string
  }
  '/wheels/step': {
    input: {
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
      step: 'pick' | 'miss' | 'find' | 'hand_back'
    }
    answer: {
      state:
        | 'expected'
        | 'received'
        | 'on_cart'
        | 'at_place'
        | 'picked'
        | 'staged'
        | 'loaded'
        | 'with_customer'
        | 'missing'
        | 'orphan'
        | 'scrapped'
    }
  }
  '/wheels/close': {
    input: {
      db_id: number | string
      reason: string
    }
    answer: {
      state:
        | 'expected'
        | 'received'
        | 'on_cart'
        | 'at_place'
        | 'picked'
        | 'staged'
        | 'loaded'
        | 'with_customer'
        | 'missing'
        | 'orphan'
        | 'scrapped'
    }
  }
  '/wheels/clearup': {
    input: {}
    answer: {
      counts: {
        [k: string]: number
      }
      jobs: {
        kind:
          | 'missing'
          | 'orphan'
          | 'resting'
          | 'split'
          | 'three'
          | 'over'
          | 'anyway'
          | 'damaged'
          | 'displaced'
          | 'twice'
          | 'strange'
          | 'uncounted'
        key: string
        tyres: number[]
        since: string
        flt_id: number | null
        seq_id: number | null
        companyname: string
        license_plate: string
        position: string
        description: string
        tyre_set: string
        tyre_status: ('on_vehicle' | 'in_stock' | 'on_spare' | 'waste' | 'at_customer') | null
        state:
          | (
              | 'expected'
              | 'received'
              | 'on_cart'
              | 'at_place'
              | 'picked'
              | 'staged'
              | 'loaded'
              | 'with_customer'
              | 'missing'
              | 'orphan'
              | 'scrapped'
            )
          | null
        location: number | null
        stock_site_name: string
        stock_rack: string
        orphan: number | null
        damages: ('nail' | 'bulge' | 'cut' | 'sidewall' | 'flat_spot' | 'rim_bent' | 'age')[]
        counted: {
          outcome: 'moved' | 'twice' | 'foreign' | 'unknown' | 'missing'
          label_site: number | null
          label_tyre: number | null
          belongs: number | null
          belongs_rack: string
          placeable: boolean
        } | null
      }[]
    }
  }
  '/wheels/tally': {
    input: {}
    answer: {
      [k: string]: number
    }
  }
  '/wheels/settle': {
    input: {
      kind: 'split' | 'three' | 'over' | 'damaged'
      key: string
      reason: string
    }
    answer: {
      key: string
    }
  }
  '/wheels/orphan': {
    input: {
      size?: string
      brand?: string
      pattern?: string
      dot?: string
      depth?: number | null
      note?: string
      location?: (number | string) | null
    }
    answer: {
      orphan: number
    }
  }
  '/wheels/candidates': {
    input: {
      orphan: number | string
    }
    answer: {
      db_id: number
      flt_id: number
      seq_id: number
      companyname: string
      license_plate: string
      position: string
      description: string
      tyre_set: string
      profile_depth: number | null
      state:
        | 'expected'
        | 'received'
        | 'on_cart'
        | 'at_place'
        | 'picked'
        | 'staged'
        | 'loaded'
        | 'with_customer'
        | 'missing'
        | 'orphan'
        | 'scrapped'
      why: ('missing' | 'expected' | 'set' | 'size' | 'brand' | 'pattern' | 'depth')[]
    }[]
  }
  '/wheels/identify': {
    input: {
      orphan: number | string
      db_id: number | string
    }
    answer: {
      state:
        | 'expected'
        | 'received'
        | 'on_cart'
        | 'at_place'
        | 'picked'
        | 'staged'
        | 'loaded'
        | 'with_customer'
        | 'missing'
        | 'orphan'
        | 'scrapped'
    }
  }
  '/wheels/dismiss': {
    input: {
      orphan: number | string
      reason: string
    }
    answer: {
      orphan: number
    }
  }
  '/waves/all': {
    input: {}
    answer: {
      due: {
        day: string
        transport: number
        operations: number
        wheels: number
        free: number
        picked: number
        staged: number
        loaded: number
        missing: number
      }[]
      waves: {
        _id: number
        day: string
        transport: number
        lines: number
        wheels: number
        left: number
        picked: number
        staged: number
        loaded: number
        missing: number
        pickers: string[]
      }[]
    }
  }
  '/waves/plan': {
    input: {
      day: string
      transport: number | string
      most: number
      unit: 'wheels' | 'sets'
    }
    answer: {
      wave: number
      lines: number
      wheels: number
    }
  }
  '/waves/planday': {
    input: {
      day: string
    }
    answer: {
      waves: {
        wave: number
        transport: number
        lines: number
        wheels: number
      }[]
    }
  }
  '/waves/round': {
    input: {
      wave: number | string
    }
    answer: {
      wave: {
        _id: number
        day: string
        transport: number
        lines: number
        wheels: number
        left: number
        picked: number
        staged: number
        loaded: number
        missing: number
        pickers: string[]
      }
      line: {
        line: number
        location: number | null
        stock_site_name: string
        stock_rack: string
        companyname: string
        license_plate: string
        tyre_set: string
        description: string
        wheels: {
          db_id: number
          position: string
          state:
            | 'expected'
            | 'received'
            | 'on_cart'
            | 'at_place'
            | 'picked'
            | 'staged'
            | 'loaded'
            | 'with_customer'
            | 'missing'
            | 'orphan'
            | 'scrapped'
        }[]
        swap?: {
          _id: number
          type: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare'
          status: 'pending' | 'submitted' | 'confirmed' | 'cancelled'
          tyres: number
          deliveryDate: string | null
        } | null
      } | null
      carried: {
        db_id: number
        license_plate: string
        position: string
      }[]
      lane: {
        _id: number
        stock_site_name: string
        stock_rack: string
      } | null
      outcome:
        | (
            | 'picked'
            | 'again'
            | 'other_set'
            | 'not_in_wave'
            | 'other_site'
            | 'staged'
            | 'here'
            | 'no_lane'
            | 'lane_other'
            | 'nothing_carried'
            | 'missed'
            | 'undone'
            | 'nothing_to_do'
          )
        | null
      tyres: number[]
    }
  }
  '/waves/scan': {
    input: {
      wave: number | string
      db_id?: number | string
      location?: number | string
      ticsId?: number | null
    }
    answer: {
      wave: {
        _id: number
        day: string
        transport: number
        lines: number
        wheels: number
        left: number
        picked: number
        staged: number
        loaded: number
        missing: number
        pickers: string[]
      }
      line: {
        line: number
        location: number | null
        stock_site_name: string
        stock_rack: string
        companyname: string
        license_plate: string
        tyre_set: string
        description: string
        wheels: {
          db_id: number
          position: string
          state:
            | 'expected'
            | 'received'
            | 'on_cart'
            | 'at_place'
            | 'picked'
            | 'staged'
            | 'loaded'
            | 'with_customer'
            | 'missing'
            | 'orphan'
            | 'scrapped'
        }[]
        swap?: {
          _id: number
          type: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare'
          status: 'pending' | 'submitted' | 'confirmed' | 'cancelled'
          tyres: number
          deliveryDate: string | null
        } | null
      } | null
      carried: {
        db_id: number
        license_plate: string
        position: string
      }[]
      lane: {
        _id: number
        stock_site_name: string
        stock_rack: string
      } | null
      outcome:
        | (
            | 'picked'
            | 'again'
            | 'other_set'
            | 'not_in_wave'
            | 'other_site'
            | 'staged'
            | 'here'
            | 'no_lane'
            | 'lane_other'
            | 'nothing_carried'
            | 'missed'
            | 'undone'
            | 'nothing_to_do'
          )
        | null
      tyres: number[]
    }
  }
  '/waves/miss': {
    input: {
      wave: number | string
    }
    answer: {
      wave: {
        _id: number
        day: string
        transport: number
        lines: number
        wheels: number
        left: number
        picked: number
        staged: number
        loaded: number
        missing: number
        pickers: string[]
      }
      line: {
        line: number
        location: number | null
        stock_site_name: string
        stock_rack: string
        companyname: string
        license_plate: string
        tyre_set: string
        description: string
        wheels: {
          db_id: number
          position: string
          state:
            | 'expected'
            | 'received'
            | 'on_cart'
            | 'at_place'
            | 'picked'
            | 'staged'
            | 'loaded'
            | 'with_customer'
            | 'missing'
            | 'orphan'
            | 'scrapped'
        }[]
        swap?: {
          _id: number
          type: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare'
          status: 'pending' | 'submitted' | 'confirmed' | 'cancelled'
          tyres: number
          deliveryDate: string | null
        } | null
      } | null
      carried: {
        db_id: number
        license_plate: string
        position: string
      }[]
      lane: {
        _id: number
        stock_site_name: string
        stock_rack: string
      } | null
      outcome:
        | (
            | 'picked'
            | 'again'
            | 'other_set'
            | 'not_in_wave'
            | 'other_site'
            | 'staged'
            | 'here'
            | 'no_lane'
            | 'lane_other'
            | 'nothing_carried'
            | 'missed'
            | 'undone'
            | 'nothing_to_do'
          )
        | null
      tyres: number[]
    }
  }
  '/waves/undo': {
    input: {
      wave: number | string
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
    }
    answer: {
      wave: {
        _id: number
        day: string
        transport: number
        lines: number
        wheels: number
        left: number
        picked: number
        staged: number
        loaded: number
        missing: number
        pickers: string[]
      }
      line: {
        line: number
        location: number | null
        stock_site_name: string
        stock_rack: string
        companyname: string
        license_plate: string
        tyre_set: string
        description: string
        wheels: {
          db_id: number
          position: string
          state:
            | 'expected'
            | 'received'
            | 'on_cart'
            | 'at_place'
            | 'picked'
            | 'staged'
            | 'loaded'
            | 'with_customer'
            | 'missing'
            | 'orphan'
            | 'scrapped'
        }[]
        swap?: {
          _id: number
          type: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare'
          status: 'pending' | 'submitted' | 'confirmed' | 'cancelled'
          tyres: number
          deliveryDate: string | null
        } | null
      } | null
      carried: {
        db_id: number
        license_plate: string
        position: string
      }[]
      lane: {
        _id: number
        stock_site_name: string
        stock_rack: string
      } | null
      outcome:
        | (
            | 'picked'
            | 'again'
            | 'other_set'
            | 'not_in_wave'
            | 'other_site'
            | 'staged'
            | 'here'
            | 'no_lane'
            | 'lane_other'
            | 'nothing_carried'
            | 'missed'
            | 'undone'
            | 'nothing_to_do'
          )
        | null
      tyres: number[]
    }
  }
  '/waves/end': {
    input: {
      wave: number | string
    }
    answer: {
      wave: number
    }
  }
  '/gate/read': {
    input: {
      day: string
      transport: number | string
    }
    answer: {
      load: {
        day: string
        transport: number
      }
      recalls: {
        operation: number
        seq_id: number
        companyname: string
        license_plate: string
        confirmed: boolean
        swap?: {
          _id: number
          type: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare'
          status: 'pending' | 'submitted' | 'confirmed' | 'cancelled'
          tyres: number
          deliveryDate: string | null
        } | null
        wheels: {
          db_id: number
          position: string
          state:
            | 'expected'
            | 'received'
            | 'on_cart'
            | 'at_place'
            | 'picked'
            | 'staged'
            | 'loaded'
            | 'with_customer'
            | 'missing'
            | 'orphan'
            | 'scrapped'
        }[]
      }[]
      notes: {
        db_id: number
        document_number_text: string
        companyname: string
        license_plate: string
        left: string
        signed: string | null
      }[]
    }
  }
  '/gate/lane': {
    input: {
      location: number | string
    }
    answer: {
      load: {
        day: string
        transport: number
      } | null
    }
  }
  '/gate/load': {
    input: {
      day: string
      transport: number | string
      db_id: number | string
      ticsId?: number | null
      reason?: string
    }
    answer: {
      load: {
        day: string
        transport: number
      }
      recalls: {
        operation: number
        seq_id: number
        companyname: string
        license_plate: string
        confirmed: boolean
        swap?: {
          _id: number
          type: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare'
          status: 'pending' | 'submitted' | 'confirmed' | 'cancelled'
          tyres: number
          deliveryDate: string | null
        } | null
        wheels: {
          db_id: number
          position: string
          state:
            | 'expected'
            | 'received'
            | 'on_cart'
            | 'at_place'
            | 'picked'
            | 'staged'
            | 'loaded'
            | 'with_customer'
            | 'missing'
            | 'orphan'
            | 'scrapped'
        }[]
      }[]
      notes: {
        db_id: number
        document_number_text: string
        companyname: string
        license_plate: string
        left: string
        signed: string | null
      }[]
      outcome:
        | 'loaded'
        | 'again'
        | 'other_site'
        | 'not_recalled'
        | 'other_transport'
        | 'other_day'
        | 'worn'
        | 'left'
        | 'nothing_loaded'
        | 'incomplete'
        | 'missing'
        | 'left_behind'
      overridable: boolean
      plate: string
      position: string
      profile_depth: [number | null]
      other: {
        day: string
        transport: number
      } | null
      damages: ('nail' | 'bulge' | 'cut' | 'sidewall' | 'flat_spot' | 'rim_bent' | 'age')[]
    }
  }
  '/gate/leave': {
    input: {
      day: string
      transport: number | string
      reason?: string
    }
    answer: {
      load: {
        day: string
        transport: number
      }
      recalls: {
        operation: number
        seq_id: number
        companyname: string
        license_plate: string
        confirmed: boolean
        swap?: {
          _id: number
          type: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare'
          status: 'pending' | 'submitted' | 'confirmed' | 'cancelled'
          tyres: number
          deliveryDate: string | null
        } | null
        wheels: {
          db_id: number
          position: string
          state:
            | 'expected'
            | 'received'
            | 'on_cart'
            | 'at_place'
            | 'picked'
            | 'staged'
            | 'loaded'
            | 'with_customer'
            | 'missing'
            | 'orphan'
            | 'scrapped'
        }[]
      }[]
      notes: {
        db_id: number
        document_number_text: string
        companyname: string
        license_plate: string
        left: string
        signed: string | null
      }[]
      outcome:
        | 'loaded'
        | 'again'
        | 'other_site'
        | 'not_recalled'
        | 'other_transport'
        | 'other_day'
        | 'worn'
        | 'left'
        | 'nothing_loaded'
        | 'incomplete'
        | 'missing'
        | 'left_behind'
      overridable: boolean
      plate: string
      position: string
      profile_depth: [number | null]
      other: {
        day: string
        transport: number
      } | null
      damages: ('nail' | 'bulge' | 'cut' | 'sidewall' | 'flat_spot' | 'rim_bent' | 'age')[]
    }
  }
  '/gate/sign': {
    input: {
      documents: (number | string)[]
      name: string
      signature: string
    }
    answer: {
      signed: number[]
    }
  }
  '/board/read': {
    input: {}
    answer: {
      today: string
      stored: number
      unplaced: number
      days: {
        day: string
        closed: {
          holiday:
            | (
                | 'newYear'
                | 'epiphany'
                | 'maundyThursday'
                | 'goodFriday'
                | 'easterMonday'
                | 'kingsDay'
                | 'labourDay'
                | 'constitutionDay'
                | 'earlyMay'
                | 'springBank'
                | 'liberationDay'
                | 'victoryDay'
                | 'europeDay'
                | 'ascension'
                | 'whitMonday'
                | 'corpusChristi'
                | 'midsummer'
                | 'cyrilAndMethodius'
                | 'janHus'
                | 'nationalDay'
                | 'assumption'
                | 'statehoodDay'
                | 'germanUnity'
                | 'saintFrancis'
                | 'allSaints'
                | 'armistice'
                | 'freedomDay'
                | 'immaculateConception'
                | 'christmasEve'
                | 'christmas'
                | 'secondChristmas'
              )
            | null
          name: string
        } | null
        done: {
          in: number
          out: number
        }
        asked: {
          in: number
          out: number
        }
        forecast: {
          in: number
          out: number
        } | null
        expected: {
          in: number
          out: number
        }
        stored: number
        transports: {
          transport: number
          operations: number
          tyres: number
          arrivals: number
          arriving_tyres: number
        }[]
      }[]
      undated: {
        in: number
        out: number
      }
      late: number
      transports: {
        _id: number
        weekdays: number[]
        operations_per_day: number
        tyres_per_day: number
      }[]
      forecast: {
        stored: number
        stored_last_year: number
        error: {
          in: number | null
          out: number | null
          weeks: number
        } | null
      } | null
      classes: {
        diameter: number | null
        width: number | null
        weight: number | null
        takes: ('tyre' | 'wheel') | null
        places: number
        capacity: number
        held: number
        coming: number
        weeks: number[]
      }[]
    }
  }
  '/board/unmoved': {
    input: {}
    answer: {
      seq_id: number
      companyname: string
      city: string
      sets: number
      wheels: number
      since: string
    }[]
  }
  '/figures/revenue': {
    input: {}
    answer: {
      rows: {
        month: string
        kind: 'storage' | 'overstay' | 'service' | 'disposal' | 'no_show' | 'minimum'
        owed: number
        charged: number
        waived: number
      }[]
      months: string[]
      earlier_owed: number
      later_charged: number
    }
  }
  '/figures/occupancy': {
    input: {}
    answer: {
      weeks: string[]
      classes: {
        class: 'small' | 'medium' | 'large' | 'truck' | 'unknown'
        stored: number[]
      }[]
      capacity: number
    }
  }
  '/figures/customers': {
    input: {}
    answer: {
      customers: {
        seq_id: number
        companyname: string
        city: string
        wheels: number
        charged_excl: number
      }[]
      wheels: number
      charged_excl: number
    }
  }
  '/figures/deliveries': {
    input: {}
    answer: {
      months: string[]
      rows: {
        month: string
        recalls: number
        median: number
        p90: number
      }[]
    }
  }
  '/stock/statement': {
    input: {
      date: string
      seq_id?: number | string
      list?: boolean
    }
    answer: {
      date: string
      wheels: number
      customers: {
        seq_id: number
        companyname: string
        city: string
        wheels: number
      }[]
      rows: {
        db_id: number
        seq_id: number
        companyname: string
        license_plate: string
        position: string
        tyre_set: string | null
        description: string
        brand: string
        dimension: string
        since: string
        stock_site_name: string | null
        stock_rack: string | null
      }[]
    }
  }
  '/stock/statementpdf': {
    input: {
      date: string
      seq_id?: number | string
    }
    answer: string
  }
  '/disposals/waiting': {
    input: {}
    answer: {
      db_id: number
      seq_id: number
      companyname: string
      license_plate: string
      position: string
      description: string
      tyre_set: string
      scrapped: string
      estimate_kg: number
    }[]
  }
  '/disposals/record': {
    input: {
      day: string
      form_number: string
      collector: string
      collector_number?: string
      processor?: string
      processor_number?: string
      treatment?: ('R1' | 'R3' | 'R11' | 'R12' | 'R13' | 'D10' | 'D15') | null
      weight_kg?: number | null
      tyres: (number | string)[]
    }
    answer: {
      _id: number
    }
  }
  '/disposals/edit': {
    input: {
      day: string
      form_number: string
      collector: string
      collector_number?: string
      processor?: string
      processor_number?: string
      treatment?: ('R1' | 'R3' | 'R11' | 'R12' | 'R13' | 'D10' | 'D15') | null
      weight_kg?: number | null
      _id: number | string
    }
    answer: {
      _id: number
    }
  }
  '/disposals/withdraw': {
    input: {
      _id: number | string
      reason: string
    }
    answer: {
      _id: number
    }
  }
  '/disposals/list': {
    input: {
      startDate: string
      endDate: string
      seq_id?: number | string
    }
    answer: {
      _id: number
      day: string
      form_number: string
      collector: string
      collector_number: string
      processor: string
      processor_number: string
      treatment: ('R1' | 'R3' | 'R11' | 'R12' | 'R13' | 'D10' | 'D15') | null
      tyres: number
      weight_kg: number | null
      estimate_kg: number
    }[]
  }
  '/disposals/proof': {
    input: {
      _id: number | string
      seq_id?: number | string
    }
    answer: string
  }
  '/cards/read': {
    input: {
      tyre?: number | string
      location?: number | string
      typed?: string
    }
    answer: {
      location: {
        _id: number
        kind: 'site' | 'zone' | 'rack' | 'shelf' | 'place' | 'cart' | 'lane'
        stock_site_name: string
        stock_rack: string
        capacity: number
      } | null
      document: {
        db_id: number
        document_number_text: string
      } | null
      article: {
        art_id: number
        description: string
      } | null
      wheels: {
        db_id: number
        flt_id: number
        seq_id: number
        companyname: string
        license_plate: string
        position: string
        description: string
        tyre_set: string
        vehicle_type: string
        vehicle: string
        size: string
        profile_depth: number | null
        profile_date: string | null
        dot?: string
        retreaded?: string
        tyre_status: 'on_vehicle' | 'in_stock' | 'on_spare' | 'waste' | 'at_customer'
        state:
          | 'expected'
          | 'received'
          | 'on_cart'
          | 'at_place'
          | 'picked'
          | 'staged'
          | 'loaded'
          | 'with_customer'
          | 'missing'
          | 'orphan'
          | 'scrapped'
        since: string
        since_day?: string | null
        location: number | null
        stock_site_name: string
        stock_rack: string
        kept_location: number | null
        kept_rack: string
        operation: {
          _id: number
          type: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare'
          status: 'pending' | 'submitted' | 'confirmed' | 'cancelled'
          scanned: boolean
          deliveryDate: string | null
          services: number[]
          tyres: number
          done: number
          swap?: {
            _id: number
            type: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare'
            status: 'pending' | 'submitted' | 'confirmed' | 'cancelled'
            tyres: number
            deliveryDate: string | null
          } | null
        } | null
        events: {
          kind: string
          step: string | null
          state:
            | (
                | 'expected'
                | 'received'
                | 'on_cart'
                | 'at_place'
                | 'picked'
                | 'staged'
                | 'loaded'
                | 'with_customer'
                | 'missing'
                | 'orphan'
                | 'scrapped'
              )
            | null
          at: string
          by: string | null
          rack: string | null
          depth: number | null
          note: string
        }[]
        damages: ('nail' | 'bulge' | 'cut' | 'sidewall' | 'flat_spot' | 'rim_bent' | 'age')[]
        photo: number | null
        actions: (
          | 'find'
          | 'store'
          | 'load'
          | 'dispose'
          | 'pick'
          | 'place'
          | 'measure'
          | 'damage'
          | 'photo'
          | 'label'
          | 'refit'
          | 'unscan'
          | 'miss'
        )[]
      }[]
    }
  }
  '/cards/commands': {
    input: {}
    answer: string
  }
  '/damages/list': {
    input: {
      tyres: (
        | (number | string)
        | {
            db_id: number | string
          }
      )[]
    }
    answer: {
      _id: number
      tyre: number
      code: ('nail' | 'bulge' | 'cut' | 'sidewall' | 'flat_spot' | 'rim_bent' | 'age') | null
      note: string
      at: string
      by: string | null
      ended: {
        how: 'repaired' | 'closed'
        at: string
        by: string | null
        note: string
      } | null
      photos: number[]
    }[]
  }
  '/damages/report': {
    input: {
      db_id: number | string
      code: 'nail' | 'bulge' | 'cut' | 'sidewall' | 'flat_spot' | 'rim_bent' | 'age'
      note?: string
    }
    answer: {
      _id: number
      tyre: number
      code: ('nail' | 'bulge' | 'cut' | 'sidewall' | 'flat_spot' | 'rim_bent' | 'age') | null
      note: string
      at: string
      by: string | null
      ended: {
        how: 'repaired' | 'closed'
        at: string
        by: string | null
        note: string
      } | null
      photos: number[]
    }
  }
  '/damages/end': {
    input: {
      damage: number | string
      how: 'repaired' | 'closed'
      note?: string
    }
    answer: {
      _id: number
      tyre: number
      code: ('nail' | 'bulge' | 'cut' | 'sidewall' | 'flat_spot' | 'rim_bent' | 'age') | null
      note: string
      at: string
      by: string | null
      ended: {
        how: 'repaired' | 'closed'
        at: string
        by: string | null
        note: string
      } | null
      photos: number[]
    }
  }
  '/damages/addphoto': {
    input: {
      damage?: number | string
      db_id?: number | string
    }
    answer: {
      _id: number
      tyre: number
      code: ('nail' | 'bulge' | 'cut' | 'sidewall' | 'flat_spot' | 'rim_bent' | 'age') | null
      note: string
      at: string
      by: string | null
      ended: {
        how: 'repaired' | 'closed'
        at: string
        by: string | null
        note: string
      } | null
      photos: number[]
    }
  }
  '/damages/photo': {
    input: {
      photo: number | string
    }
    answer: {
      photo: number
      width: number
      height: number
      content: string
    }
  }
  '/damages/small': {
    input: {
      photos: (number | string)[]
    }
    answer: {
      photo: number
      content: string
    }[]
  }
  '/find': {
    input: {
      words: string
      recent?: (number | string)[]
    }
    answer: {
      vehicles: {
        flt_id: number
        license_plate: string
        vehicle_type: string
        vehicle: string
        driver: string
        seq_id: number
        companyname: string
      }[]
      tyres: {
        db_id: number
        flt_id: number
        license_plate: string
        position: string
        description: string
        seq_id: number
        companyname: string
      }[]
      documents: {
        db_id: number
        flt_id: number | null
        document_number_text: string
        document_type: 'reservation' | 'worknote' | 'deliverynote'
        seq_id: number
        companyname: string
      }[]
      customers: {
        seq_id: number
        companyname: string
        city: string
      }[]
      locations: {
        _id: number
        stock_site_name: string
        stock_rack: string
      }[]
    }
  }
  '/changes/vehicles': {
    input: {
      cursor?: string
      updated_since?: string
      seq_id?: number | string
      limit?: number
    }
    answer: {
      records: {
        flt_id: number
        seq_id: number
        license_plate: string
        number: string
        chassis_number: string
        cost_centre: string
        yearly_distance: number | null
        type: string
        brand: string
        description: string
        configuration: string | null
        driver: {
          name: string
          email: string
          mobile_no: string
          telephone_no: string
        }
        removed: boolean
        changed: string
      }[]
      gone: number[]
      cursor: string
      more: boolean
    }
  }
  '/changes/tyres': {
    input: {
      cursor?: string
      updated_since?: string
      seq_id?: number | string
      limit?: number
    }
    answer: {
      records: {
        db_id: number
        seq_id: number
        flt_id: number
        position: string
        tyre_set: string | null
        article: number
        description: string
        season: string | null
        status: 'on_vehicle' | 'in_stock' | 'on_spare' | 'waste' | 'at_customer'
        status_date: string
        stock_site_name: string | null
        stock_rack: string | null
        profile_depth: number | null
        profile_date: string | null
        rims: string | null
        bolts: boolean
        hubcaps: boolean
        removed: boolean
        changed: string
      }[]
      gone: number[]
      cursor: string
      more: boolean
    }
  }
  '/changes/operations': {
    input: {
      cursor?: string
      updated_since?: string
      seq_id?: number | string
      limit?: number
    }
    answer: {
      records: {
        _id: number
        seq_id: number
        flt_id: number
        type: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare'
        status: 'pending' | 'submitted' | 'confirmed' | 'cancelled'
        tyres: number[]
        transport: string | null
        delivery_date: string | null
        created: string
        submitted: string | null
        handled: string | null
        changed: string
      }[]
      gone: number[]
      cursor: string
      more: boolean
    }
  }
  '/changes/documents': {
    input: {
      cursor?: string
      updated_since?: string
      seq_id?: number | string
      limit?: number
    }
    answer: {
      records: {
        db_id: number
        seq_id: number
        flt_id: number | null
        operation: number | null
        number: string
        type: 'reservation' | 'worknote' | 'deliverynote'
        date: string
        amount_excl: number
        withdrawn: boolean
        changed: string
      }[]
      gone: number[]
      cursor: string
      more: boolean
    }
  }
  '/changes/customers': {
    input: {
      cursor?: string
      updated_since?: string
      limit?: number
    }
    answer: {
      records: {
        seq_id: number
        code: string
        name: string
        companyname: string
        street: string
        zipcode: string
        city: string
        email: string
        changed: string
      }[]
      gone: number[]
      cursor: string
      more: boolean
    }
  }
  '/papers/receipt': {
    input: {
      operation: number | string
    }
    answer: {
      operation: number
      seq_id: number
      companyname: string
      flt_id: number
      license_plate: string
      vehicle: string
      date: string
      wheels: {
        id: number
        position: string
        description: string
        set: string | null
        depth: number | null
        rims: ('steel' | 'aluminum') | null
        bolts: boolean
        hubcaps: boolean
        missing: boolean
        damages: ('nail' | 'bulge' | 'cut' | 'sidewall' | 'flat_spot' | 'rim_bent' | 'age')[]
      }[]
      signed: {
        name: string
        at: string
      } | null
    }
  }
  '/papers/receiptpdf': {
    input: {
      operation: number | string
    }
    answer: string
  }
  '/papers/sign': {
    input: {
      operation: number | string
      name: string
      signature: string
    }
    answer: {
      operation: number
    }
  }
  '/papers/mail': {
    input: {
      operation: number | string
    }
    answer: {
      messages: number
    }
  }
  '/papers/overview': {
    input: {
      seq_id?: number | string
    }
    answer: string
  }
  '/papers/layout': {
    input: {}
    answer: {
      header: {
        nl: string
        fr: string
        en: string
        de: string
      }
      footer: {
        nl: string
        fr: string
        en: string
        de: string
      }
      terms: {
        nl: string
        fr: string
        en: string
        de: string
      }
      columns: ('number' | 'set' | 'depth' | 'with')[]
      version: number
    }
  }
  '/papers/preview': {
    input: {
      header: {
        nl: string
        fr: string
        en: string
        de: string
      }
      footer: {
        nl: string
        fr: string
        en: string
        de: string
      }
      terms: {
        nl: string
        fr: string
        en: string
        de: string
      }
      columns?: ('number' | 'set' | 'depth' | 'with')[]
      shows: 'receipt' | 'document' | 'overview'
      lang: 'nl' | 'fr' | 'en' | 'de'
    }
    answer: string
  }
  '/notices/list': {
    input: {}
    answer: {
      notices: {
        _id: number
        kind:
          | 'submitted'
          | 'withdrawn'
          | 'planned'
          | 'picked'
          | 'dayChanged'
          | 'done'
          | 'cancelled'
          | 'document'
          | 'worn'
          | 'longStored'
        at: string
        read: boolean
        customer: string | null
        operation: number | null
        flt_id: number | null
        document: number | null
        document_number_text?: string | null
        license_plate: string
        facts: {
          type?: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare'
          tyres?: number
          to?: string | null
          from?: string | null
          document?: 'reservation' | 'worknote' | 'deliverynote'
          depth?: number
        }
      }[]
      unread: number
    }
  }
  '/notices/read': {
    input: {
      last: number
    }
    answer: {
      read: number
    }
  }
  '/notices/settings': {
    input: {}
    answer: {
      hidden: (
        | 'submitted'
        | 'withdrawn'
        | 'planned'
        | 'picked'
        | 'dayChanged'
        | 'done'
        | 'cancelled'
        | 'document'
        | 'worn'
        | 'longStored'
      )[]
      mailed: (
        | 'submitted'
        | 'withdrawn'
        | 'planned'
        | 'picked'
        | 'dayChanged'
        | 'done'
        | 'cancelled'
        | 'document'
        | 'worn'
        | 'longStored'
      )[]
      daily: boolean
      kinds: (
        | 'submitted'
        | 'withdrawn'
        | 'planned'
        | 'picked'
        | 'dayChanged'
        | 'done'
        | 'cancelled'
        | 'document'
        | 'worn'
        | 'longStored'
      )[]
      email: string
      problem: string
    }
  }
  '/views/list': {
    input: {}
    answer: {
      _id: number
      list: 'vehicles' | 'tyres' | 'season' | 'customers' | 'articles' | 'audit'
      name: string
      filter: {
        [k: string]: string | number | boolean
      }
      shared: boolean
      own: boolean
      by: string
      weekly: number | null
    }[]
  }
  '/backups/latest': {
    input: {}
    answer: {
      on: boolean
      latest: string | null
      late: boolean
      problem: string
    }
  }
}
export interface LabelReport {
  rpt_number: [number]
  rpt_name: [string]
}
export interface VehicleConfig {
  description: [string]
  source: ['local' | 'other']
  configuration: [
    {
      axle_height: [number]
      axle_width: [number]
      axles: [
        {
          axle: {
            type: ['axle' | 'separator']
            lift_axle: ['T' | '']
            drive_axle: ['T' | '']
            steering_axle: ['T' | '']
            wheels_left: [number]
            wheels_right: [number]
          }[]
        }
      ]
    }
  ]
}
export interface TransportMethod {
  _id: number
  name: string
  code: string
  default: boolean
  description_nl: string
  description_fr: string
  description_en: string
  description_de: string
  operationDays: number[]
  advanceDays: number
  cutoffHour: string | null
  operationsPerDay: number
  tyresPerDay: number
}
export interface Vehicle {
  flt_id: [number]
  seq_id: [number]
  customer_name: [string]
  license_plate: [string]
  number: [string]
  chassis_number: [string]
  brand: [string]
  description: [string]
  type: [string]
  configuration: [string | null]
  driver_name: [string]
  driver: [
    {
      name: [string]
      mobile_no: [string]
      telephone_no: [string]
      email: [string]
    }
  ]
  min_tread_summer?: [number | null]
  min_tread_winter?: [number | null]
  cost_centre?: [string]
  yearly_distance?: [number | null]
  tyres: [
    {
      tyre: Tyre[]
    }
  ]
  parts?: {
    db_id: number
    withRims: ('steel' | 'aluminum') | null
    withBolts: boolean
    withHubcaps: boolean
  }[]
}
export interface Tyre {
  db_id: [number]
  art_id: [number]
  flt_id: [number]
  position: [string]
  description: [string]
  season: [string | null]
  tyre_memo: [string]
  profile_depth: [number | null]
  profile_date: [string | null]
  profile_tacho: [number | null]
  status_date: [string]
  tyre_status: ['on_vehicle' | 'in_stock' | 'on_spare' | 'waste' | 'at_customer']
  stock_rack: [string | null]
  stock_site_name: [string | null]
  stock_rims: [('steel' | 'aluminum') | null]
  stock_bolts: ['Y' | 'N']
  stock_hubcaps: ['Y' | 'N']
  tyre_set: [string]
  invoicedAt: [string | null]
  unknownArticle: ['T' | '']
  operation: [number | null]
  action: [('to_stock' | 'to_customer' | 'to_waste' | 'to_spare') | null]
}
export interface Document {
  db_id: [number]
  document_number_text: [string]
  document_number_value: [number]
  date: [string]
  document_type: ['reservation' | 'worknote' | 'deliverynote']
  amount_excl: [number]
}
export interface Article {
  art_id: [number]
  description: [string]
  brand: [string]
  season: [string | null]
}
export interface Customer {
  seq_id: [number]
  name: [string]
  companyname: [string]
  street: [string]
  zipcode: [string]
  city: [string]
  vehicles: [number]
}
export interface Operation {
  _id: number
  status: 'pending' | 'submitted' | 'confirmed' | 'cancelled'
  type: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare'
  user: {
    username: string
    fullname: string
    companyname: string
  }
  seq_id: number
  flt_id: number
  vehicle: {
    type: [string]
    license_plate: [string]
  }
  tyres: OperationTyre[]
  services: number[]
  transport: number | null
  deliveryDate: string | null
  created: string
  submitted: string | null
  updated: string
  handledAt: string | null
  remarks: string
  withRims: ('steel' | 'aluminum') | null
  withBolts: boolean
  withHubcaps: boolean
  tachometer: number | null
  wornTyres: ('keep' | 'quote') | null
  swap?: {
    _id: number
    type: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare'
    status: 'pending' | 'submitted' | 'confirmed' | 'cancelled'
    tyres: number
    deliveryDate: string | null
  } | null
  document: number | null
}
export interface OperationTyre {
  db_id: [number]
  art_id: [number]
  flt_id: [number]
  position: [string]
  description: [string]
  season: [string | null]
  tyre_memo: [string]
  profile_depth: [number | null]
  profile_date: [string | null]
  profile_tacho: [number | null]
  status_date: [string]
  tyre_status: ['on_vehicle' | 'in_stock' | 'on_spare' | 'waste' | 'at_customer']
  stock_rack: [string | null]
  stock_site_name: [string | null]
  stock_rims: [('steel' | 'aluminum') | null]
  stock_bolts: ['Y' | 'N']
  stock_hubcaps: ['Y' | 'N']
  tyre_set: [string]
  invoicedAt: [string | null]
  unknownArticle: ['T' | '']
  operation: [number | null]
  action: [('to_stock' | 'to_customer' | 'to_waste' | 'to_spare') | null]
  license_plate: [string]
  vehicle_type: [string]
  scanned: ['T' | '']
  scanRegisteredAt: [string | null]
  scanTimes: [number]
  missing: ['T' | '']
}
