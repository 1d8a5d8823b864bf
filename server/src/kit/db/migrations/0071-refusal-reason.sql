-- Why a proposal was refused, as whoever refused it said; null: nobody said, or it wasn't refused.
alter table bulk_operation add column refusal text;
