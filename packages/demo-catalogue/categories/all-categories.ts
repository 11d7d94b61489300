import type { CategoryGrammar } from "../grammar.ts";
import { daysOutAndCinema, holidaysAndFlights, hotelsAndUkBreaks } from "./away.ts";
import { energyInsuranceAndMoney, mobileAndBroadband } from "./bills.ts";
import {
  booksLearningAndGifts,
  eatingOut,
  foodAndDrink,
  glassesAndHearing,
  healthAndBeauty,
  motoring,
  sportsAndOutdoors,
} from "./everyday.ts";
import { jewelleryAndWatches, kidsAndBaby, mensFashion, shoesAndBags, womensFashion } from "./fashion.ts";
import { diyAndGarden, electronics, homeAndFurniture } from "./home.ts";

/** The twenty categories, in the order of lists. Rates and times are typical for each kind of shop. */
export const allCategories: readonly CategoryGrammar[] = [
  womensFashion,
  mensFashion,
  kidsAndBaby,
  shoesAndBags,
  jewelleryAndWatches,
  healthAndBeauty,
  glassesAndHearing,
  foodAndDrink,
  eatingOut,
  homeAndFurniture,
  diyAndGarden,
  electronics,
  mobileAndBroadband,
  energyInsuranceAndMoney,
  holidaysAndFlights,
  hotelsAndUkBreaks,
  daysOutAndCinema,
  motoring,
  sportsAndOutdoors,
  booksLearningAndGifts,
];
