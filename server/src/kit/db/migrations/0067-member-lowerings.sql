-- What somebody has a plan cost less is kept, too: who takes that back adds nothing.
alter table member_raise drop constraint member_raise_cents_check;
alter table member_raise add check (cents <> 0);
