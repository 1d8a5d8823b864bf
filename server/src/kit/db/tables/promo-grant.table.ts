/** Global: promo windows that have given their bonus (once each, D8). */
export interface PromoGrantTable {
  /** When the window began and what tells it from others of the same moment. */
  window_id: string;
  granted_at: Date;
}
