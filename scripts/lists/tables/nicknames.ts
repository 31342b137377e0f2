interface NicknameRow {
  readonly language: string;
  readonly reason: string;
  readonly groups: string;
}

/**
 * Short forms and spellings of given names, as ASCII letters. Own table, from common knowledge of the languages (npm has no
 * package of such data with a licence to pack it). A group, between `|`, is what one person may be called.
 */
export const NICKNAMES: readonly NicknameRow[] = [
  {
    language: 'English',
    reason: 'Short forms of men’s names',
    groups:
      'abraham abe abram bram|albert al bert bertie albie|alexander alex al alec alexandr aleksander xander sandy lex zander sasha sascha|' +
      'alfred al alf alfie fred freddie|andrew andy drew andrei andre|anthony tony antony ant|archibald archie|arnold arnie|arthur art artie|' +
      'augustus gus augie august|barnaby barney|bartholomew bart|benedict ben bennie|benjamin ben benny benji benjy jamin|bernard bernie barney|' +
      'bradley brad|brandon bran|calvin cal|cameron cam|carl karl|charles charlie chuck chas charley chaz chip|christian chris christy|' +
      'christopher chris kit topher kris cris christoph kristopher|clifford cliff|clinton clint|cornelius neil con|curtis curt|cyril cy|' +
      'daniel dan danny dani|darrell darryl daryl|david dave davey davie davy|dennis denny denis den|dominic dom nick dominick|donald don donny donnie|' +
      'douglas doug dougie|dwight ike|edgar ed eddie|edmund ed eddie ned ted|edward ed eddie ted teddy ned eddy|edwin ed eddie win|elijah eli lij|' +
      'elliott eliot elliot|emmanuel manny manuel|ernest ernie ern|eugene gene|ezekiel zeke|fitzgerald fitz|francis frank fran frankie|' +
      'franklin frank frankie|frederick fred freddie freddy rick fritz|gabriel gabe gab|garrett gary|geoffrey geoff jeff jeffrey|george georgie geo|' +
      'gerald gerry jerry ged|gerard gerry jerry|gilbert gil bert|graham graeme|gregory greg gregg gregor|harold hal harry|harrison harry|' +
      'henry hank harry hal henri|herbert herb bert herbie|howard howie|hubert hugh bert|ian iain|isaac ike zac|isaiah zay|jackson jack|jacob jake jakob jay|' +
      'james jim jimmy jamie jay jem jimmie|jason jay jase|jeffrey jeff jeffery geoff|jeremiah jerry jeremy|jeremy jerry jem jez|jerome jerry|jesse jess|' +
      'john johnny jack jon jonny johnnie jonno jock|jonathan jon jonny johnny nathan jonathon john|joseph joe joey jos jo|joshua josh|julian jules|' +
      'justin jus|kenneth ken kenny|kevin kev|kristopher kris|lawrence larry laurie lawrie laurence loz|leonard leo len lenny|leopold leo|leroy roy lee|' +
      'leslie les|lewis lew louis|lincoln linc|louis lou louie lewis|lucas luke luc|malcolm mal|marcus mark marc|mark marc|marshall marsh|martin marty mart|' +
      'matthew matt matty mat mathew|maurice morris mo|maxwell max|maximilian max|melvin mel|michael mike mick mickey mikey micky mitch micah|miles myles|' +
      'milton milt|mitchell mitch|montgomery monty|mortimer mort|moses mo|nathan nate nat|nathaniel nate nat nathan|nicholas nick nicky nico nicolas nik nikolas cole|' +
      'nigel nige|norman norm|oliver ollie oli olly|oscar ozzie|oswald ozzie oz|owen eoin|patrick pat paddy rick patty|paul paulie|percival percy|peter pete petey|' +
      'philip phil phillip pip|preston pres|ralph rafe|randall randy|randolph randy|raymond ray|reginald reg reggie|reuben rube|rhys reece reese|' +
      'richard rick dick rich ricky richie rickie dickie|robert bob rob bobby robbie bert robin bobbie robby|roderick rod roddy rick|rodney rod|roger rodge|' +
      'roland rollie|ronald ron ronnie ronny|rudolph rudy rolf|rupert rup|russell russ rusty|samuel sam sammy|sean shaun shawn shane|sebastian seb bastian|' +
      'sidney sid sydney|simon si|solomon sol solly|stanley stan|stephen steve stevie steven steph stefan|steven steve stevie stephen|stuart stu stewart|' +
      'sylvester sly|terence terry terrence|theodore ted teddy theo|thomas tom tommy thom|timothy tim timmy|tobias toby|travis trav|tristan tris|vernon vern|' +
      'victor vic|vincent vince vin vinny|virgil virg|wallace wally|walter walt wally wat|warren ren|wayne way|wesley wes|wilbur will|wilfred wilf will|' +
      'william bill will billy willy liam willie wills|winston win|woodrow woody|xavier xav|zachary zach zack zac zachariah zak|jeremiah jem|gavin gav|' +
      'duncan dunc|alistair alastair al ali alasdair allister|hamish seumas|angus gus|callum cal calum|finlay fin finn findlay|craig craigy|' +
      'darren daz|barry baz|gareth gaz|gary gaz garry|aaron ron aron|adam ad ade|adrian ade|alan al allan allen|derek del derrick|desmond des|' +
      'edgar eddie|elvin el|erik eric erick|frankie frank|harvey harv|hugh hughie huw|irving irv|jared jerry|joel joe|kyle ky|lance lancelot|luther lou|' +
      'marvin marv|mervyn merv|neil neal niall|phineas phin|quentin quen quinn|raphael rafe raph|rory ruairi|seth set|spencer spence|trevor trev|tyler ty|' +
      'tyrone ty|bryan brian bryn|brent brenton|keith keef|clarence clare|clayton clay|dale dal|dean deano|dexter dex|emerson em|gordon gord gordie|jordan jord jordy',
  },
  {
    language: 'English',
    reason: 'Short forms of women’s names',
    groups:
      'abigail abby gail abbie abi|adelaide addie ada|adeline addie|agatha aggie|agnes aggie nessa|alexandra alex lexi sandra sandy ali lexie alexa sasha|' +
      'alexandria alex lexi|alexis alex lexi lexie|alice ali allie alicia alys|alison ali allie allison al|amanda mandy amy|amelia amy millie mel|anastasia ana stacy stasia|' +
      'andrea andie andy|angela angie ange|angelica angie|ann annie nan anna anne|anna annie ann anne hannah|annabel bella anna annie annabelle|antonia toni tonia|' +
      'arabella bella bel|audrey aud|barbara barb babs barbie bobbie|beatrice bea trixie bee beatrix|belinda bel linda|bernadette bernie|bethany beth|betty elizabeth bette|' +
      'beverley bev beverly|bonnie bon|brenda bren|bridget bridie biddy brigid|britney brit brittany|candace candy|carla carly|carmen carmie|caroline carrie caro carol carolyn lynn|' +
      'carol carole carrie|cassandra cass cassie sandra|catherine kate cathy katie kitty cat cath katherine kathryn cate kathy katharine|cecilia cece celia cissy|' +
      'charlotte charlie lottie char lotte|chelsea chels|cheryl cher|christina chris tina chrissy christy kristina|christine chris tina chrissy christy kristine|' +
      'clara claire clare|claudia claud|constance connie|cordelia delia|courtney court|cynthia cindy cyn|danielle dani danni ella|daphne daph|dawn dawnie|' +
      'deborah deb debbie debra debby|delilah lila|denise dee niecy|diana di diane dee|dolores lola|dominique nikki dom|donna don|dorothy dot dottie dolly dora dorothea|' +
      'edith edie|eileen aileen|eleanor ellie nell ella nora elinor ellen lenny|elena ellie lena|elizabeth liz beth lizzie betty eliza betsy lisa libby bess elsie elise elisabeth liza bette|' +
      'ella ellie|ellen ellie nell|emily em emmy millie|emma em emmy|erica ricki erika|esther essie hester|eugenia gene genie|eva eve evie|evangeline eva evie angie|' +
      'evelyn eve evie eva|faith fay|felicity flick fliss|florence flo flossie florrie|frances fran frankie fanny francie|francesca fran chess frankie|' +
      'gabriella gabby ella gabi gabriela|gabrielle gabby elle|genevieve gen jenny eve viv|georgia georgie|georgina georgie gina|geraldine gerry|gertrude trudy gertie|' +
      'gillian gill jill jillian|gloria glo|grace gracie|gwendolyn gwen wendy|hannah anna|harriet hattie harry|heather heath|helen nell ellen helena lena|henrietta hettie etta|' +
      'hilary hil|holly hol|imogen immy|irene rene|isabel bella izzy belle isobel isabelle isabella|isabella bella izzy isabel ella|jacqueline jackie jacqui jacquie|' +
      'jane janie jenny janet|janet jan|janice jan|jean jeanie jeannie|jeanette jean jan|jennifer jen jenny jenna jenni|jessica jess jessie|jill gillian|joan joanie jo|' +
      'joanna jo joanne jojo|jocelyn joss jo|josephine jo josie fifi posy|joyce joy|judith judy jude|julia jules julie|julie jules julia|juliana jules|juliet jules julie|' +
      'justine tina|kaitlyn kate katie caitlin kaitlin|karen kaz|katherine kate kathy katie kat kitty kath kay katharine kathryn|kathleen kathy kath kate kathie|' +
      'kathryn kate kathy katie kat|kelly kel|kendra ken|kerry kez|kimberly kim kimmy kimberley|kristen kris krissy kristin|kristina kris tina krissy|lauren laurie loz|laura laurie lori lora|' +
      'leah lea|leonora nora leo|leslie les lesley|lillian lily lil lilian|linda lindy lin lynda|lindsay lindsey linz|lorraine lori rainey|louise lou lulu louisa|lucille lucy lou|' +
      'lucinda lucy cindy|lucy lu lucie lucia|lydia lyd liddy|lynette lyn lynn|mabel may|madeleine maddie maddy madeline|madeline maddie lena|madison maddie|magdalena maggie lena magda|' +
      'marcella marcie|margaret maggie peggy meg peg marge margie greta rita daisy madge margo maisie|marguerite daisy rita margo|maria mary mia ria|marianne mary ann marian|marie mary|marilyn mary|' +
      'marjorie marge margie|martha marty mattie|mary molly polly mae may mamie|matilda tilly mattie tilda|maureen mo|megan meg meggie meghan|melanie mel|melinda mel mindy linda|' +
      'melissa mel missy lissa|mercedes sadie|meredith merry|michelle shelly mich chelle|mildred millie|millicent millie|minerva minnie|miranda mandy randi|miriam mim mimi|' +
      'monica mon|morgan mo|muriel mu|nadine nadia|nancy nan ann|naomi nao|natalie nat nattie talia nathalie|natasha tasha nat|nicole nicky nikki nic nichola|nicola nicky nikki nic|' +
      'olive ollie|olivia liv livvy libby ollie|pamela pam pammy|patricia pat patty tricia trish patsy|paula pauline polly|pauline paula polly|penelope penny nell|philippa pip pippa|' +
      'phoebe fifi|phyllis phyl|priscilla cilla|prudence pru|rachel rach rachael|rebecca becky becca bex becks reba|regina gina|renee ren|roberta bobbie robbie bertie|robyn rob robin|' +
      'rosalind roz rose|rosamund roz rose|rosemary rose rosie|rose rosie|roxanne roxy|ruth ruthie|sabrina bree|sally sal|samantha sam sammy sammie|sandra sandy sandi|sarah sally sadie sara sal|' +
      'savannah vanna|selina lina|sharon shaz shari|sheila she|shirley shirl|sophia sophie soph sofia|sophie soph sophia|stacey stace stacy|stephanie steph stevie stef|susan sue susie suzie suzy|' +
      'susanna sue susie suzanne anna|suzanne sue suzie|sylvia syl sylvie|tabitha tabby|tamara tammy|tara tar|teresa terry tess tessa theresa tracy|theodora theo dora thea|theresa terry tess tessa|' +
      'tiffany tiff|ursula ursie|valerie val|vanessa nessa ness van|veronica ronnie roni vera vicky|victoria vicky tori vic vicki vikki|violet vi|virginia ginny ginger|vivian viv vivien vivienne|' +
      'wendy wen|wilhelmina mina billie willa|winifred winnie freda|yvonne von evie|zoe zo zoey',
  },
  {
    language: 'Russian, Ukrainian, Belarusian, Bulgarian',
    reason: 'Short forms used with everybody but officials, and the name’s forms in the neighbouring languages',
    groups:
      'aleksandr alexander aleksander alexandr sasha sanya shura alex olexander oleksandr aliaksandr aleksandar sasho sashko oleks|' +
      'aleksandra alexandra sasha shura alex oleksandra sanya|aleksey alexey alexei aleksei alyosha lyosha lesha alex oleksii oleksiy alosha|alina alya|alla alya|' +
      'anastasia anastasiya nastya nastia stasya asya anastasiia nastja|anatoly anatoliy tolya tolik anatolii|andrey andrei andriy andrew andrii andryusha drey|anna anya ania annushka nyura hanna ganna asya|' +
      'anton antosha tosha toha|arkady arkadiy arkasha|arseny arseniy senya|artem artyom tema tyoma artiom artemiy|boris borya|bogdan bogdana bohdan dan|dmitry dmitri dmitriy dima mitya dimitri dmytro dimon dimitar dmitrii|' +
      'daniil danil danila danya daniel|daria darya dasha dariia daryna|denis den deniska|ekaterina katya katia yekaterina kate katerina catherine kateryna ekaterine katusha|elena lena yelena alyona helen olena lenochka|' +
      'elizaveta liza lisa yelizaveta elizabeth yelyzaveta|evgeny evgeniy zhenya evgenii yevgeny eugene yevhen jenya evgeni yevgeniy|evgenia evgeniya zhenya eugenia jenya yevheniia|fyodor fedor fedya fiodor theodore|' +
      'galina galya halyna|gennady gennadiy gena|georgy georgiy gosha zhora george georgi heorhii|grigory grigoriy grisha gregory hryhorii|gleb hlib|igor gosha ihor garik|ilya ilia ilyusha illia elijah|inna inessa|irina ira irene iryna irka arina|' +
      'ivan vanya ivanko john vania|ivanna ivanka|karina kara|kirill kiril kirya cyril kyrylo|konstantin kostya constantine kostia kostiantyn|ksenia kseniya ksyusha oksana xenia kseniia|larisa lara larissa|leonid lenya leo lyonya|' +
      'lev leva leo lyova|lidia lida lidiya|lyubov lyuba luba liubov|lyudmila lyuda mila ludmila luda liudmyla|maksim maxim max maks maksym|margarita rita margo marharyta|maria mariya masha mary marusya marya mariia manya|marina marinka maryna|' +
      'mikhail misha michael mike mykhailo mihail michail mykhaylo|nadezhda nadya nadia nadiya|natalia natalya nata natasha natasa nataliya nataliia|nikita nik nikitos mykyta|nikolai nikolay kolya nicholas nick mykola nikolaj nikola kolia|nina ninochka|' +
      'oksana ksyusha xana|oleg oleh olezha|olga olya olha olia helga|pavel pasha paul pavlo pavlik|polina polya pauline|petr pyotr petya peter petro piotr petar|roman roma romka|rostislav rostik slava|ruslan rus|sergey sergei seryozha serge serhii serhiy sergii sergiy seriozha serega siarhei|' +
      'semyon semen syoma simon|sofia sofya sonya sonia sophia sofiya sofiia|stanislav stas slava stan|stepan styopa stephen|svetlana sveta lana svitlana svetla|taisia taya|tamara toma tamar|tatiana tatyana tanya tania tetiana tatjana|timofey tima timothy tymofii|' +
      'timur tim tima|vadim vadik vadym|valentin valya valik|valentina valya valia|valeria lera valeriya valeriia|valery valera valeriy valerii|varvara varya barbara|vasily vasya vasiliy vasilii basil vasyl vasil|vera verochka vira|veronika nika vera|' +
      'victoria viktoria vika viktoriya viktoriia|viktor vitya victor vitia|vitaly vitaliy vitalik vitalii|vladimir vova volodya vlad volodymyr vovan uladzimir|vladislav vlad slava vladyslav vladik|vyacheslav slava viacheslav|yana iana jana|yaroslav slava yarik iaroslav|' +
      'yegor egor yehor|yulia julia yuliya yulya iuliia yuliia julija|yuri yury yuriy yura iurii yurii juri|zinaida zina|zoya zoia|zakhar zahar|georgi gosho joro|dimitar mitko|todor tosho|stoyan tancho|plamen pacho|krasimir krasi|desislava desi',
  },
  {
    language: 'Spanish',
    reason: 'Familiar forms in use in signatures and addresses',
    groups:
      'adriana adri|alejandra ale sandra jana|alejandro ale alex jandro sandro|alberto beto tito berto|alfonso poncho fonso|alfredo fredo alfre|ana anita|andres andy|angel angelito|antonia tona toni|antonio tono toni tonio|' +
      'arturo turo|beatriz bea betty|bernardo berna nardo|carlos carlitos charly charlie|carmen menchu mamen carmela carmencita|carolina caro|catalina cata|cecilia ceci|claudia clau|concepcion concha conchita conchi|consuelo chelo|' +
      'cristina cris tina|cristobal tobal|daniel dani|daniela dani|david davi|diego dieguito|dolores lola loli lolita|eduardo edu lalo eddy|elena lena nena|emilio emi milo|enrique quique kike henry|ernesto neto|esperanza espe|esteban teban|fernanda fer|' +
      'fernando fer nando|federico fede|felipe feli pipe|francisca paca paqui fran francis|francisco paco pancho fran curro kiko cisco francis frank|gabriel gabi|gabriela gabi gaby|gerardo gera|gloria glori|gonzalo gonza chalo|graciela chela|gregorio goyo|' +
      'guadalupe lupe lupita|guillermo guille memo willy|gustavo gus tavo|hector tito|ignacio nacho ignasi|inmaculada inma|isabel isa chabela|ivan ivi|jaime jaimito|javier javi xavi|jesus chucho chus chuy suso|joaquin quino joaco|jorge jorgito|jose pepe jos chepe josep joseph pepito|' +
      'josefa pepa pepi fina|josefina pepa fina|juan juanito john joan|juana juani|julio julito|laura lauri|leonardo leo|leticia leti|lorenzo lencho|lourdes lulu|lucia luci lucy|luis lucho lui luisito|luisa lu|manuel manolo manu lolo manny|manuela manoli manu|' +
      'margarita rita marga|maria mari maruja mary mery|mariano nano|marta marti|martin tin|mateo teo|mauricio mau|mercedes merche meche|miguel migue mike mikel|monica moni|montserrat montse|natalia nati nata|nicolas nico|oscar osqui|pablo pablito paul|' +
      'patricia patri paty pati|pedro perico pedrito|pilar pili|rafael rafa|ramon moncho ramoncito|raquel raque|ricardo richi riki rick|roberto beto rober tito robert|rocio chio|rodrigo rodri|rosario charo chayo|ruben rube|salvador salva chava|santiago santi chago diego yago|' +
      'sebastian seba sebas|sergio checo sergi|silvia silvi|sofia sofi|soledad sole|susana susi|teresa tere maite|tomas tommy|valentina vale|valeria vale|vanesa vane|veronica vero|vicente chente vicen|victor vito|victoria vicky vicki viki|virginia virgi|ximena xime jimena|yolanda yoli',
  },
  {
    language: 'Portuguese',
    reason: 'Familiar forms of Portugal and Brazil',
    groups:
      'alexandre alex xande|alexandra alex xana|ana aninha nana|andre dede|antonio toninho to tonho toze|augusto guto|beatriz bia|bernardo be|bruno bruninho|carlos carlinhos caca|carolina carol|catarina cata cat|cristina cris|daniel dani dan|eduardo edu dudu duda|' +
      'eduarda duda|fabiano fabio|fernanda fe nanda fefe|fernando fe nando|filipe felipe lipe|francisco chico xico kiko|gabriel gabi biel|gabriela gabi|guilherme gui guiga|gustavo gu guga|henrique rique|helena lena|isabel bela isa|joana jo|joao joca john juca|joaquim quim|jose ze zezinho|' +
      'juliana ju|julio ju|leonardo leo|luis lu luiz|luiza lu luisa|manuel manel maneco|marcelo celo|marcos marco|margarida guida|maria mia mariazinha|mariana mari|mateus teus matheus|miguel mig|natalia nati|paulo paulinho|pedro pedrinho|rafael rafa|rafaela rafa|raimundo mundo|' +
      'ricardo rick|roberto beto|rodrigo digo|sebastiao tiao|teresa te|thiago tiago ti|vinicius vini|vitor vitinho victor|vitoria vivi',
  },
  {
    language: 'Italian',
    reason: 'Familiar forms',
    groups:
      'alessandra ale sandra|alessandro ale sandro alex|alessia ale|alberto berto|andrea andre|angela angi lina|anna annina|antonella anto|antonio tonio toni nino anto|beatrice bea bice|camilla cami|carlo carletto|chiara chia|daniele dani|daniela dani|davide davi|domenico mimmo mico|' +
      'edoardo edo|elena ele|eleonora ele nora|elisabetta betta lisa elisa|emanuele manu ele|enrico rico chicco|federica fede|federico fede rico|filippo pippo fil|francesca fra franci|francesco fra ciccio franco cesco|gabriele gabri|gaetano tano|giacomo jack mino|gianluca luca gian|giorgia gio|' +
      'giorgio gio|giovanna vanna gio|giovanni gianni vanni nanni gio john|giulia giuly|giulio giuly|giuseppe beppe peppe pino joe peppino|giuseppina pina|giuseppa pina|laura lalla|leonardo leo|lorenzo lollo renzo enzo|luca lucas|luigi gigi gino|maddalena lena|marcello celo|margherita marghe rita|' +
      'maria mari|martina marti|massimiliano max massi|massimo max massi|matteo teo matte|mattia matti|michele michi|nicola nico|nicolo nico niccolo|pasquale lino|pietro piero pit|raffaele raffa lele|raffaella raffa|riccardo ricky|roberto robi|salvatore toto sal turi salvo|simone simo|stefano ste|' +
      'stefania ste|teresa tere|tommaso tommy|valentina vale|valerio vale|veronica vero|vincenzo enzo vinz|vittorio vito|vittoria vicky',
  },
  {
    language: 'German, Austrian, Swiss',
    reason: 'Familiar forms and spellings',
    groups:
      'alexander alex sascha xandi|alexandra alex sandra xandi|andreas andi andy anderl|angelika geli|anna anni annie anne|annemarie anni annemie|anton toni|barbara babsi baerbel|benedikt bene|benjamin benni ben|bernhard bernd hardy bernard|birgit biggi|brigitte gitte gitti|charlotte lotte|' +
      'christian chris christl|christina tina chrissi|christine tina chrissi|christoph chris stoffel|daniel dani|dietrich dieter|dominik dom|dorothea doro dorle|eberhard ebi|eduard edi|elisabeth lisa liesl lisl sissi else elli betti liesel sisi|emil milo|ernst erni|eva evi|felix fe|ferdinand ferdi|florian flo|' +
      'franz franzl|franziska franzi|friedrich fritz fred friedel|gabriele gabi|georg schorsch joerg|gerhard gerd hardi|gertrud trude gerti|gottfried friedl|guenther guenter guenther gunter|hannelore hanne lore|hans johannes johann hansi|heinrich heinz heiner hein heini|helmut helmi|helmuth helmut|henriette jette|' +
      'herbert herb bert|hermann manni|hildegard hilde|ingeborg inge|ingrid inge|jakob jockel|jennifer jenny|joachim jochen achim jo|johanna hanna hanni jo|johannes hannes hans johann jo|jonas jo|josef sepp joseph beppi jupp|juergen jurgen|julia jule julchen|juliane jule|karin kari|karl carl kalle|' +
      'katharina kathi katja kaethe kathrin kathy|katrin kathrin catrin|klaus claus nikolaus niklas|konrad conny kurt|konstantin konsti|kristina tina|leonhard leo hardy|lukas luki|ludwig lutz wiggerl|magdalena lena magda leni|manfred manni fred|margarete grete gretel margret greta|maria mitzi ria|marianne nanni|markus max|' +
      'martin maddin|martina tina|matthias matze hias matti mathias|maximilian max maxi|michael michi michel mike|michaela michi ela|monika moni|nikolaus niko klaus|oliver olli|patrick patti|peter pit|philipp phil philip|rainer reiner|reinhard hardy reini|robert robby|rosemarie rosi romy|rudolf rudi rolf|ruediger rudiger rudi|' +
      'sabine bine bini|sebastian basti wastl bastian|siegfried siggi sigi|simon simi|sophie sofie|stefan steff stephan|stefanie steffi stephanie|susanne susi sanne|theodor theo|theresa resi tess|thomas tom thommy|tobias tobi|ulrich uli ulli|ulrike uli rike ulli|ursula uschi ulla|uwe uve|valentin vale|veronika vroni|victoria vicky viktoria|' +
      'volker volki|waltraud traudl|werner wern|wilhelm willi helm willy|wolfgang wolf wolfi',
  },
  {
    language: 'French',
    reason: 'Familiar forms',
    groups:
      'alexandre alex|alexandra alex|alphonse fonfon|amelie meli|antoine toine tony|antoinette toinette|aurelie lili|benjamin ben|benoit ben|bernadette nadette|bernard nanard|camille cam|caroline caro|catherine cathy kate|christelle chris|christian chris|christine chris|christophe chris|clement clem|clementine clem|' +
      'daniel dany|daniele dany|dominique dom domi|edouard doudou ed|elisabeth babeth lise zabeth|elodie lodie|emilie mimi|emmanuel manu|emmanuelle manu|etienne tienne|fabien fab|fabrice fab|florence flo|florian flo|francois fanfan|francoise fanfan|frederic fred|frederique fred|gabriel gab|genevieve gene|georges jojo|' +
      'gerard gege|gilbert gil|guillaume guigui gui will|gregory greg|henri riton|isabelle isa|jacqueline jacquie jackie|jacques jacky|jean jeannot|jeanne jeannette|jerome jeje|' +
      'jonathan jo|joseph jo|josephine jo|julien juju|juliette juju|laurence lolo|laurent lolo lau|louis loulou|louise loulou|lucien lulu|madeleine mado|marguerite margot|marie mimi|mathieu mat matthieu math|mathilde mat|maxime max|maximilien max|michel mich mimi|monique momo|nathalie nath|nicolas nico|nicole nini|' +
      'olivier oliv|pascal pasc|pascale pasc|patrick pat|philippe phil|pierre pierrot|raymond ray|robert bob|sebastien seb|severine sev|solange sol|sophie soso|stephane steph|stephanie steph|sylvain syl|sylvie syl|therese tete|thibault tibo thibaut thib|valerie val|veronique vero|victor vic|vincent vince|virginie virg|xavier xav|yves yvon',
  },
  {
    language: 'Polish, Czech, Slovak',
    reason: 'Everyday forms, more usual than the full name',
    groups:
      'agnieszka aga agusia|aleksander olek alek alex|aleksandra ola olka alex|alicja ala|andrzej jedrek andy|anna ania anka andzia|antoni antek|barbara basia bara|bartosz bartek|bartlomiej bartek|beata bea|dariusz darek|dorota dorotka|elzbieta ela|ewa ewka|franciszek franek|grzegorz grzesiek grzes|hanna hania|henryk heniek|irena irka|iwona iwonka|' +
      'jacek jacus|jakub kuba jakob jake|jan janek jasiek|jaroslaw jarek|jerzy jurek|joanna asia aska|jozef jozek|julia jula julka|kamil kamilek|karolina karola|katarzyna kasia kaska|kazimierz kazik|krystyna krysia|krzysztof krzysiek krzys chris|leszek lech|lucja lucka|lukasz luki luke|maciej maciek|magdalena magda lena|malgorzata gosia malgosia|' +
      'marcin martin marcinek|marek marecki mark|maria marysia|mariusz mario|mateusz mati matt|michal michalek mike|mieczyslaw mietek|mikolaj miki|monika moni|natalia nata|pawel pawelek paul|piotr piotrek peter|przemyslaw przemek|rafal rafik|robert robcio|ryszard rysiek|slawomir slawek|stanislaw staszek stas stach|stefan stefek|szymon szymek simon|' +
      'tadeusz tadek|teresa terenia|tomasz tomek tom|urszula ula|waldemar waldek|weronika wera|wieslaw wiesiek|wladyslaw wladek|wojciech wojtek|zbigniew zbyszek|zofia zosia zoska|zuzanna zuzia|' +
      'alena lena|alzbeta bety|antonin tonda|bohumil bob|frantisek franta fero|hana hanka|jana janka|jaroslav jarda jaro|jiri jirka|josef pepa|karel kaja|katerina katka kaca|ladislav lada laco|lenka lena|lucie lucka|ludmila lida|marie maruska|marketa marketka|martin mata|miroslav mirek miro|milan mila|ondrej ondra|pavel pavlik|petr peta|premysl premek|' +
      'radek radoslav|stanislav standa|tereza terka|tomas tom tomik|vaclav vasek|veronika verca|vladimir vlada vladko|vojtech vojta|zdenek zdena|zuzana zuzka|stefan stevo|juraj juro|michal misko|peter peto|jozef jozo',
  },
  {
    language: 'Nordic, Dutch, Hungarian, Romanian, South Slavic, Greek, Baltic',
    reason: 'Everyday forms',
    groups:
      'anders andy|alexander alle|christian kris|elisabeth lisbet lisa betty|gunnar gunne|gustav gurra gusten|henrik henke|johan johannes jonne|karl kalle|katarina kajsa kata|kristina stina kia|lars lasse|magnus mange|margareta greta maggan|mikael micke michael|niklas nicke nicklas|per pelle peter|sebastian sebbe|soren sorn|sven svenne|torbjorn tobbe|' +
      'adrianus ad arie adriaan|antonius toon ton anton|catharina karin trijntje|cornelis kees cor|elisabeth els betty liesbeth|franciscus frans frank|gerardus gerard gerrit|hendrik henk rik hendrikus|jacobus jaap koos jacob|jan johannes johan hans|johanna annie jo hanneke|johannes jan hans joop johan|josephus jos joseph jef|margaretha greet gre|' +
      'maria mieke ria marijke|matthijs thijs|nicolaas klaas nico|petrus piet peter|theodorus theo dirk|wilhelmina willy mina|wilhelmus willem wim|willem wim pim william|' +
      'andras bandi andris|erzsebet zsoka erzsi bozsi|ferenc feri|gabor gabi|gyorgy gyuri|istvan pista pisti|janos jani|jozsef jozsi|katalin kati kata|laszlo laci|margit gitta|maria mari|mihaly misi|miklos miki|pal pali|peter peti|sandor sanyi|tamas tomi|zoltan zoli|zsuzsanna zsuzsi|' +
      'alexandru alex sandu|andreea deea|constantin costel costi|cristian cristi|elena lena|gabriela gabi|gheorghe gigi ghita george|ioan ion ionut nelu|mihai mihaita misu michael|nicolae nicu nelu|stefan fane|vasile vasilica|' +
      'aleksandar aca sasa|aleksandra sandra sanja|dragan gaga|dusan duca|ivan ivo ivica|ivana iva|jelena jeca|josip joza|katarina kaca|marija mara maja|mihailo mika|milan mica|milica mica|nikola nidza|slobodan boba|stjepan stipe|vladimir vlada|' +
      'aikaterini katerina kate|alexandros alekos alex|anastasia natasa|anastasios tasos|antonios antonis|apostolos tolis|athanasios thanasis nasos sakis|charalampos babis haris|christos chris|dimitrios dimitris mitsos jimmy takis|dimitra dimi|efstathios stathis|eleni lena elena|evangelos vangelis|evangelia eva litsa|georgia gogo|georgios giorgos george yiorgos yorgos|' +
      'ioannis giannis yiannis john yannis|ioanna joanna|konstantinos constantinos constantine kostas costas dinos gus|konstantina nantia|maria marika|michail michalis|nikolaos nikos nick|panagiotis panos takis|panagiota giota|paraskevi evi voula|spyridon spyros|stylianos stelios|theodoros thodoris theo|vasileios vasilis bill|vasiliki vaso vicky|' +
      'jonas jonukas|jurgis jurij|kazimieras kazys|janis jancuks',
  },
  {
    language: 'Arabic, Persian, Turkish, South Asian',
    reason: 'Latin spellings of one name, abbreviations, and familiar forms',
    groups:
      'mohammed muhammad mohamed mohammad mohamad muhammed mehmed mehmet mohd mohammod md mo muhamed mohamud|ahmed ahmad ahmet achmad|mahmoud mahmood mahmud mahmut|hassan hasan|hussein hussain husain hossein hosein husein huseyin houssein|ali aly|omar umar omer umer|othman osman usman uthman|khaled khalid halid|' +
      'said saeed sayed syed saeid sayyid|yousef youssef yusuf yousuf yusef joseph youssouf yousif|ibrahim ebrahim abraham brahim|mustafa mostafa mustapha moustafa|tariq tarek tareq tarik|karim kareem kerim|fatima fatma fatemeh fatimah fatoumata fatou|aisha aicha ayesha aysha ayse aishah|maryam mariam meryem miriam meriem|zainab zeinab zaynab zeynep|' +
      'layla leila laila leyla|noor nour nur noura|sarah sara|abdullah abdallah abdulla abdul abdoulaye|abdulrahman abdelrahman abdurrahman abdul abderrahmane abdou|abdulaziz abdelaziz aziz abdul|abdulkarim abdelkarim karim|rashid rasheed rachid|jamal gamal jamaal djamal|faisal faysal feisal|nasser nasir naser|salim saleem selim|samir sameer|' +
      'hamid hameed|majid majed|waleed walid|yasser yasir|ziad ziyad zyad|amin ameen emin|bilal belal billal|jaber jabir gaber|rami ramy|sami samy|hani hany|hisham hesham hicham|osama usama oussama|sherif sharif cherif|amr amro|nabil nabeel|adel adil|imad emad|ismail esmail ismael|zakaria zakariya zakariyya|ayoub ayub eyup|dawood daoud dawud david|musa moussa moosa|' +
      'mehdi mahdi|reza rida riza|amir ameer emir|hamza hamzah|anas anass|mona muna|huda hoda houda|amina aminah emine|khadija khadijah hatice|salma selma|hanan hanane|rania raniya|dina deena|mina meena|' +
      'aleksei alyosha|mustafa musti|ibrahim ibo|suleyman sulo suleiman sulaiman solomon|fatma fatos|elif elfi|abhishek abhi|aditya adi|akash aakash|amit amitabh|anand anandh|aishwarya aish|ashwin ash|deepak dipak deep|divya diya|gaurav gourav|harish hari|krishna krish kris|lakshmi laxmi|manish manu|nikhil nik|nitin nits|priya priyanka piya|priyanka priya|' +
      'rahul rahool|rajendra raj raju|rajesh raj raju|rakesh raka|ramesh ram|sanjay sanju|santosh santhosh|shiva siva shiv|siddharth sid siddhartha sidharth|sneha snehal|sunil suneel|suresh suri|swathi swati|venkatesh venkat venky|vijay vijai bijoy|vikram vik vicky|vishal vish|vivek viv|yash yashwant|sri shri|subramanian subbu mani subramaniam|' +
      'muhammad imran|tanvir tanveer|zahid zaheed|farhan farhaan|imran emran|irfan erfan|kamran kami|rizwan rizvan|shahid shaheed|usman osman|bilal billu',
  },
  {
    language: 'Hebrew, Armenian, Georgian',
    reason: 'Familiar forms and spellings',
    groups:
      'avraham abraham avi|binyamin benjamin beni benny|chaim haim hayim vivi|david dudi dudu|eliezer eli lazer|elisheva eli sheva|hanna chana hannah|itzhak yitzhak isaac itzik yitzchak|michael miki|moshe moses moishe moshiko|rivka rebecca riki|shimon simon shimi|shlomo solomon shloimi|shmuel samuel shmulik|tzipora zipora tzipi|yaakov jacob yakov kobi yaacov|' +
      'yehuda yuda judah|yehonatan jonathan yoni yonatan|yosef joseph yossi yosi|zeev zev wolf|aleksandre sandro|davit david dato|giorgi george gio gia|mikheil misha|nikoloz nika|tamar tako tamuna|vakhtang vato|armen armo|gevorg georg|hovhannes hovo ohan|karen karo|sargis sarkis|tigran tiko',
  },
];
