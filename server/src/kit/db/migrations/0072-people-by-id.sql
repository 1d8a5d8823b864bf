-- What somebody is called who has left a workspace: nothing but their id is known there.
create index app_user_by_id on app_user (id);
