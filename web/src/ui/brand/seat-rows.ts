/** One seat of the hall, by its place in the drawing. */
export interface Seat {
  x: number;
  y: number;
  row: number;
  /** From 0 at the left end of its row. */
  place: number;
}

interface Hall {
  centerX: number;
  centerY: number;
  rows: number;
  /** Radius of the first row and the distance between rows. */
  firstRadius: number;
  rowGap: number;
  /** Distance between neighbours in a row. */
  seatPitch: number;
  /** How far each row reaches around the stage, in degrees; 180 is a half circle. */
  spanDegrees: number;
}

/** The seats of a hall: concentric arcs above the stage, the first row first, each from the left. */
export function seatRows(hall: Hall): Seat[] {
  const span = (hall.spanDegrees * Math.PI) / 180;
  return Array.from({ length: hall.rows }, (_, row) => {
    const radius = hall.firstRadius + row * hall.rowGap;
    const places = Math.max(2, Math.floor((radius * span) / hall.seatPitch) + 1);
    return Array.from({ length: places }, (_unused, place) => {
      const angle = Math.PI / 2 + span / 2 - (span * place) / (places - 1);
      return {
        x: round(hall.centerX + radius * Math.cos(angle)),
        y: round(hall.centerY - radius * Math.sin(angle)),
        row,
        place,
      };
    });
  }).flat();
}

/** Seats as one path of dots, so that a hall is one element and not hundreds. */
export function dotsPath(seats: readonly Seat[], radius: number): string {
  const d = radius * 2;
  return seats
    .map(
      ({ x, y }) =>
        `M${round(x - radius)} ${y}a${radius} ${radius} 0 1 0 ${d} 0a${radius} ${radius} 0 1 0-${d} 0`,
    )
    .join('');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
