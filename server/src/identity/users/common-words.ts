/**
 * What people make passwords of, as far as the published lists of the most used ones agree, most of them
 * with digits behind or letters swapped for signs: the rules beside know those. Written for this product.
 */
export const COMMON_WORDS: readonly string[] = `
password passwd passwort pass motdepasse contrasena senha parola wachtwoord haslo admin administrator
root user guest test testing tester demo sample default changeme change secret letmein login logon signin
access master welcome hello hallo hola bonjour ciao temp temporary system server computer internet google
facebook instagram insta twitter youtube tiktok snapchat whatsapp linkedin amazon netflix spotify apple
iphone samsung android windows microsoft outlook hotmail gmail yahoo myspace paypal bitcoin money dollar
cash rich million lottery business company office work manager boss qwerty qwertz azerty qazwsx asdf zxcv
abc abcd trustno iloveyou loveyou iloveu ilove love lover lovely loveme forever always together kisses
hugs darling honey sweetheart sweety sweetie sugar cutie cute baby babygirl babyboy princess prince queen
king angel angels heaven devil demon jesus jesuschrist christ god godisgood faith hope grace blessed
blessing lord church bible family mother mommy mom mama father daddy dad papa brother sister sisters
friend friends bestfriend girlfriend boyfriend husband wife sunshine sunflower flower flowers butterfly
rainbow summer winter spring autumn january february march april june july august september october
november december monday tuesday wednesday thursday friday saturday sunday weekend holiday christmas
birthday party happy smile lucky lucky7 freedom liberty justice peace dream dreamer dreams believe
destiny fortune crystal diamond silver golden gold platinum emerald purple orange yellow green blue red
black white pink violet scarlet dragon monkey tiger lion panther eagle falcon hawk phoenix wolf wolves
bear panda kitty kitten cat cats puppy dog dogs doggy rabbit bunny horse horses pony mustang bulldog
dolphin dolphins shark turtle spider snake cobra viper scorpion unicorn dinosaur chicken cookie cookies
chocolate banana apples cherry strawberry peaches pepper ginger cinnamon coffee cheese pizza burger
butter candy peanut muffin pumpkin pickle pickles superman batman spiderman ironman wonderwoman wolverine
deadpool avengers marvel joker starwars skywalker vader yoda jedi startrek matrix gandalf hobbit frodo
harry potter harrypotter hogwarts pokemon pikachu charizard mario luigi zelda sonic minecraft roblox
fortnite callofduty counter counterstrike warcraft starcraft diablo halo playstation nintendo xbox gamer
gaming player hunter killer sniper soldier warrior ninja samurai pirate knight wizard magic merlin shadow
ghost phantom vampire zombie monster legend hero champion winner victory thunder lightning storm blizzard
hurricane fire flame ice iceman snow ocean river mountain island beach paradise forest garden football
soccer baseball basketball hockey tennis golf golfer rugby cricket volleyball softball swimming runner
racing nascar ferrari porsche lamborghini mercedes corvette camaro toyota honda yamaha kawasaki suzuki
harley chevy ford mustanggt jordan kobe lebron messi ronaldo cristiano neymar maradona beckham liverpool
arsenal chelsea manchester manutd mancity everton barcelona barca realmadrid juventus acmilan bayern
dortmund benfica porto ajax celtic rangers yankees lakers bulls cowboys steelers packers raiders eagles
patriots giants dodgers redsox tigers lions bears broncos america american usa canada mexico brasil
brazil argentina england london paris france germany deutschland berlin italia italy roma milano spain
madrid espana portugal nederland holland poland polska russia moscow turkey istanbul india indian
pakistan china japan tokyo australia sydney africa nigeria philippines indonesia texas california florida
newyork boston chicago dallas houston denver michael jordan23 jennifer jessica ashley amanda nicole
daniel david james john robert william thomas charles christopher matthew joshua andrew anthony joseph
ryan brandon justin jason jacob nicholas alexander alexandra alex max sam charlie charlotte oliver oscar
george harold henry edward richard peter patrick kevin brian steven eric mark paul adam jack jake luke
benjamin samuel nathan ethan dylan tyler austin taylor hannah sarah emily emma olivia sophia sophie
isabella mia abigail elizabeth victoria rebecca rachel laura linda barbara maria mariana carlos jose juan
miguel antonio francisco fernando alejandro diego sergio pablo andrea claudia daniela gabriel gabriela
natalia patricia valentina camila carolina stefan stefanie sebastian florian tobias johannes andreas
markus martin martina michelle melissa stephanie samantha heather amber tiffany crystal chelsea brittany
maggie molly daisy lucy bella bailey buster bandit rocky rocket max princesa teamo tequiero amor amore
amour cheri chouchou doudou soleil loulou schatz liebe hallo1 geheim sommer fussball schalke slayer
metallica nirvana slipknot linkin linkinpark eminem tupac biggie beatles rammstein acdc ironmaiden
blink eagle1 rockstar rocknroll guitar drummer music musica dance dancer singer hiphop reggae techno
cocacola pepsi redbull marlboro heineken budweiser whiskey vodka tequila beer drunk stoner weed sexy sex
sexygirl hottie bigdick pussy fuckyou fuck fucker fuckoff fuckme bitch asshole bastard shithead whatever
nothing nobody something anything everything noaccess letmesee openup opensesame iamgod imissyou
ihateyou hateyou missyou thankyou please sorry goodbye goodluck badboy badgirl bigboy playboy cowboy
gangster gangsta thuglife player1 ninja1 number1 number0ne numberone first only1 one two three four five
correcthorsebatterystaple likes like follow follower followers influencer
`
  .trim()
  .split(/\s+/);
