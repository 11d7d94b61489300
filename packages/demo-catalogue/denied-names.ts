/**
 * Names that the demo catalogue must never contain, as slugs: shops and services that are known in Britain. The words and trades that names are made of are
 * chosen so that none of these can arise; a test checks them against this list.
 */
export const deniedNames: ReadonlySet<string> = new Set(
  `adidas ao-com amazon apple argos asda asos b-and-m b-and-q barbour bella-italia bensons-for-beds bloom-and-wild boden boohoo booking-com
  boots bose bt bupa burberry byron cafe-rouge carphone-warehouse cass-art cath-kidston center-parcs clarks claires clinique converse coral
  cotswold-outdoor cotton-traders crew-clothing currys debenhams dell deliveroo direct-line disney dobbies dominos dr-martens dreams dulux
  dune dunelm dyson easyjet ebay ee ernest-jones etsy evans-cycles expedia fat-face feelunique ferns footasylum foot-locker fortnum-and-mason
  game gap giffgaff go-outdoors goldsmiths gousto graze great-little-trading-company greggs h-samuel habitat halfords hamleys harrods
  harvey-nichols heals hello-fresh hobbycraft hobbs holland-and-barrett homebase hotel-chocolat hotels-com house-of-fraser hp hsbc hugo-boss
  iceland ikea interflora jacamo jd-sports jessops jigsaw jo-malone john-lewis joules just-eat karen-millen kew kiko kurt-geiger kwik-fit
  la-redoute lakeland laithwaites lastminute-com lego lenovo leon levis lidl little-greene lloyds lloyds-pharmacy logitech lookfantastic lush m-and-m-direct
  made majestic-wine mamas-and-papas mango marks-and-spencer matalan merlin millets misguided monsoon moss-bros moss mothercare mountain-warehouse nandos
  national-express national-trust naked-wines nespresso new-balance new-look next nike north-face o2 ocado octopus-energy odeon office oliver-bonas
  optical-express otterbox papa-johns pandora paperchase paul-smith pets-at-home phase-eight philips pizza-express pizza-hut poundland pret
  pretty-little-thing prezzo primark primrose puma quiz radley reiss river-island robert-dyas rohan rowlinson ryanair sainsburys samsung
  saltrock samuel-windsor screwfix seasalt seat-frog selfridges shell shoe-zone simply-be sky sky-mobile skechers smyths snapfish sofology space-nk specsavers
  sports-direct sosandar starbucks stradivarius subway superdrug superdry swarovski sweaty-betty swinton t-m-lewin talktalk tastecard ted-baker tesco
  tesco-mobile thorntons three ticketmaster timberland tk-maxx toolstation topps-tiles topman topshop travelodge trespass tui tyrrells uber-eats
  uniqlo urban-outfitters vans very virgin-media vision-express vistaprint vodafone vue wagamama waitrose warehouse waterstones wayfair weird-fish
  whistles white-stuff wickes wiggle wilko wh-smith wordery wren-kitchens yankee-candle yo-sushi zara zalando zizzi
  otterly copperleaf mossgate-hotel brasserie-blanc thistle-hotels harbour-hotels silver-cross the-white-company the-range the-works`
    .split(/\s+/)
    .filter((name) => name !== ""),
);

/** Larger towns and cities of the United Kingdom: no first word may be one. */
export const realTowns: ReadonlySet<string> = new Set(
  `aberdeen alnwick ashford ashbourne aylesbury bakewell banbury barnsley barnstaple basildon basingstoke bath bedford belfast berwick beverley birmingham blackburn
  blackpool bodmin bolton boston bournemouth bradford braintree brecon bridgend bridgwater brighton bristol bromley buckingham burnley burton bury buxton caernarfon camborne
  cambridge canterbury cardiff carlisle carmarthen chatham chelmsford cheltenham chester chesterfield chichester colchester coventry crawley crewe cromer
  croydon cumbernauld darlington dartford derby derry doncaster dorchester dorking dover dudley dumfries dundee dunfermline durham eastbourne edinburgh elgin ely epsom
  evesham exeter falkirk falmouth fareham farnham folkestone frome gateshead glasgow glastonbury gloucester gosport grantham gravesend greenock grimsby guildford halifax harlow
  harrogate hartlepool hastings hatfield hawick helston hemel henley hereford hertford hexham hitchin horsham hove huddersfield hull huntingdon inverness ipswich kendal keswick kettering
  kidderminster kilmarnock kirkcaldy lancaster launceston leamington leeds leicester leominster lewes lichfield lincoln lisburn liverpool livingston llandudno london loughborough
  louth lowestoft ludlow luton macclesfield maidenhead maidstone maldon malton malvern manchester margate matlock melton middlesbrough minehead morpeth motherwell nantwich neath newark newbury
  newcastle newmarket newport newquay newry northallerton northampton norwich nottingham nuneaton oban okehampton oldham omagh oswestry oxford padstow paignton paisley penrith penzance perth
  peterborough peterlee pickering plymouth pontefract poole portsmouth preston ramsgate reading redditch redhill redruth reigate rhyl richmond ripon rochdale romford rotherham rugby runcorn rye
  salford salisbury sandwich scarborough scunthorpe settle sheffield shrewsbury skegness skipton slough solihull southampton southend southport stafford stamford stevenage stirling stockport
  stockton stoke stratford stroud sudbury sunderland sutton swansea swindon tamworth taunton telford tewkesbury thetford thirsk tiverton torquay totnes truro ventnor wakefield wallsend walsall warrington
  warwick watford wellington wells weymouth whitby whitehaven widnes wigan wilmslow winchester windsor winsford wirral wisbech woking wolverhampton woodbridge worcester workington worksop worthing
  wrexham yarmouth yeovil york`
    .split(/\s+/)
    .filter((name) => name !== ""),
);
