import { good, type Sector } from "./sector.ts";

/** Sectors of contracts, insurance and garages. */
export const services: readonly Sector[] = [
  {
    name: "Mobile and broadband",
    match: /broadband|\bmobile|telecom|\bsim\b|phone|fibre/i,
    strapline: "Connected by the weekend",
    named: false,
    goods: {
      Fibre: [
        good("Fibre 80, first month", "router", 24, 28),
        good("Fibre 150, first month", "router", 28, 33),
        good("Fibre 500, first month", "router", 34, 39),
        good("Fibre 900, first month", "router", 42, 49),
      ],
      "SIM only": [
        good("SIM 10 GB, 12 months", "sim", 72, 96),
        good("SIM 50 GB, 12 months", "sim", 108, 132),
        good("SIM unlimited, 12 months", "sim", 180, 240),
      ],
      Phones: [
        good("Smartphone, 128 GB", "phone", 249, 399),
        good("Smartphone, 256 GB", "phone", 449, 699),
        good("Home phone handset", "phone", 29, 49),
      ],
      Extras: [good("Mesh Wi-Fi pair", "router", 89, 129), good("eSIM for Europe, 7 days", "sim", 9, 15)],
    },
  },
  {
    name: "Insurance and energy",
    match: /insur|energy|\bmoney|financ|\bbank|utilit|\bcover\b|\bloans?\b|credit/i,
    strapline: "Sorted, in plain words",
    named: false,
    goods: {
      Home: [
        good("Buildings cover, 12 months", "house", 110, 190),
        good("Contents cover, 12 months", "house", 60, 120),
        good("Home cover, both, 12 months", "house", 160, 260),
        good("Boiler cover, 12 months", "flame", 96, 180),
      ],
      Motor: [
        good("Car cover, third party", "car", 280, 420),
        good("Car cover, comprehensive", "car", 340, 620),
        good("Breakdown cover, 12 months", "car", 39, 79),
      ],
      Travel: [
        good("Single trip, Europe", "umbrella", 12, 24),
        good("Annual travel, worldwide", "umbrella", 49, 95),
        good("Gadget cover, 12 months", "umbrella", 36, 60),
      ],
      Pets: [good("Dog cover, lifetime", "paw", 140, 320), good("Cat cover, lifetime", "paw", 90, 180)],
    },
  },
  {
    name: "Motoring",
    match: /motor|\btyre|\bcars?\b|\bmot\b|garage|\bhire\b/i,
    strapline: "Back on the road today",
    named: true,
    goods: {
      Tyres: [
        good("summer tyre, 16 inch", "tyre", 58, 98),
        good("all-season tyre, 17 inch", "tyre", 78, 132),
        good("winter tyre, 18 inch", "tyre", 96, 168),
      ],
      Servicing: [
        good("MOT test", "car", 34, 54),
        good("interim service", "car", 95, 139),
        good("full service", "car", 169, 239),
        good("battery, fitted", "box", 89, 149),
      ],
      Parts: [
        good("wiper blades, pair", "box", 14, 26),
        good("roof box", "box", 149, 289),
        good("dash camera", "radio", 59, 129),
      ],
      "Care and hire": [good("car shampoo", "bottle", 7, 13), good("day's hire, small car", "car", 32, 58)],
    },
  },
];
