/**
 * Public figures as they are written at home, and addresses of the usual form out of the spelling that the press, a passport or
 * they themselves use. Written by hand from common knowledge; nothing here is anyone's address. A row, between `|`: the name,
 * `=`, local parts. The even rows were looked at while the rules were made. The odd ones were measured when they were done (two of
 * 328 addresses were called wrong, none a mismatch), the last block after that (one of 83; two mismatches); what they showed is
 * mended, so that none of them is held out any more.
 */
export const ROMANISED: readonly { readonly writing: string; readonly rows: string }[] = [
  {
    writing: 'Arabic',
    rows:
      'محمد صلاح=mohamed.salah msalah|نجيب محفوظ=naguib.mahfouz nmahfouz|أم كلثوم=oum.kalthoum umm.kulthum|فيروز حداد=fairouz.haddad fhaddad|عمر الشريف=omar.sharif osharif omar.elsharif|يوسف شاهين=youssef.chahine y.chahine|' +
      'طه حسين=taha.hussein thussein|عادل إمام=adel.imam aimam|رياض محرز=riyad.mahrez rmahrez|حكيم زياش=hakim.ziyech h.ziyech|أشرف حكيمي=achraf.hakimi ahakimi|كاظم الساهر=kazem.alsaher kadim.alsahir|' +
      'نانسي عجرم=nancy.ajram najram|إليسا خوري=elissa.khoury ekhoury|محمود درويش=mahmoud.darwish mdarwish|نزار قباني=nizar.qabbani nqabbani|غسان كنفاني=ghassan.kanafani gkanafani|إدوارد سعيد=edward.said esaid|' +
      'زها حديد=zaha.hadid zhadid|خالد حسيني=khaled.hosseini khosseini|جمال عبد الناصر=gamal.abdelnasser gnasser|أنور السادات=anwar.sadat anwar.elsadat|حسني مبارك=hosny.mubarak hmubarak|بشير الجميل=bachir.gemayel bgemayel|' +
      'توفيق الحكيم=tawfiq.alhakim t.elhakim|أحمد زويل=ahmed.zewail azewail|مجدي يعقوب=magdi.yacoub myacoub|بطرس غالي=boutros.ghali bghali|محمد البرادعي=mohamed.elbaradei melbaradei|عبد العزيز الفوزان=abdulaziz.alfawzan|' +
      'هيفاء وهبي=haifa.wehbe hwehbe|راغب علامة=ragheb.alama r.alama|وائل كفوري=wael.kfoury wkfoury|شيرين عبد الوهاب=sherine.abdelwahab sherine|تامر حسني=tamer.hosny thosny|يسرا اللوزي=yousra.ellozy yellozy|' +
      'منى زكي=mona.zaki mzaki|هند صبري=hend.sabry hsabry|ياسمين عبد العزيز=yasmine.abdelaziz|كريم بنزيما=karim.benzema kbenzema|إسلام سليماني=islam.slimani islimani|سفيان فيغولي=sofiane.feghouli|' +
      'نبيه بري=nabih.berri nberri|سعد الحريري=saad.hariri shariri|وليد جنبلاط=walid.jumblatt wjumblatt|سمير جعجع=samir.geagea|ميشال عون=michel.aoun maoun|طارق رمضان=tariq.ramadan tramadan',
  },
  {
    writing: 'Persian and Urdu',
    rows:
      'محمد رضایی=mrezaei mohammad.rezaei|اصغر فرهادی=asghar.farhadi afarhadi|عباس کیارستمی=abbas.kiarostami akiarostami|جعفر پناهی=jafar.panahi jpanahi|شهره آغداشلو=shohreh.aghdashloo|گلشیفته فراهانی=golshifteh.farahani gfarahani|' +
      'علی دایی=ali.daei adaei|مهدی طارمی=mehdi.taremi mtaremi|سردار آزمون=sardar.azmoun sazmoun|مریم میرزاخانی=maryam.mirzakhani mmirzakhani|شیرین عبادی=shirin.ebadi sebadi|فروغ فرخزاد=forough.farrokhzad ffarrokhzad|' +
      'احمد شاملو=ahmad.shamlou ashamlou|محمد خاتمی=mohammad.khatami mkhatami|حسن روحانی=hassan.rouhani hrouhani|محمود احمدی نژاد=mahmoud.ahmadinejad|میرحسین موسوی=mirhossein.mousavi|زهرا رهنورد=zahra.rahnavard|' +
      'نسرین ستوده=nasrin.sotoudeh nsotoudeh|نرگس محمدی=narges.mohammadi nmohammadi|لیلا حاتمی=leila.hatami lhatami|پیمان معادی=peyman.moaadi|ترانه علیدوستی=taraneh.alidoosti talidoosti|هومن سیدی=houman.seyedi hseyedi|' +
      'رضا عطاران=reza.attaran rattaran|بهروز وثوقی=behrouz.vossoughi|سیمین دانشور=simin.daneshvar|جواد ظریف=javad.zarif jzarif|کیمیا علیزاده=kimia.alizadeh kalizadeh|فرهاد ظریف=farhad.zarif|' +
      'عمران خان=imran.khan ikhan|نواز شریف=nawaz.sharif nsharif|شاہد آفریدی=shahid.afridi safridi|بابر اعظم=babar.azam bazam|ملالہ یوسفزئی=malala.yousafzai|نصرت فتح علی=nusrat.fateh.ali|فیض احمد فیض=faiz.ahmed.faiz|عاطف اسلم=atif.aslam aaslam|ماہرہ خان=mahira.khan|شعیب اختر=shoaib.akhtar',
  },
  {
    writing: 'Hebrew',
    rows:
      'בנימין נתניהו=benjamin.netanyahu bnetanyahu binyamin.netanyahu|יאיר לפיד=yair.lapid ylapid|גל גדות=gal.gadot ggadot|עמוס עוז=amos.oz|דוד גרוסמן=david.grossman dgrossman|אפרים קישון=ephraim.kishon ekishon|' +
      'נטלי פורטמן=natalie.portman nportman|ערן זהבי=eran.zahavi ezahavi|יוסי בניון=yossi.benayoun ybenayoun|נועה קירל=noa.kirel nkirel|עידן רייכל=idan.raichel iraichel|אביב גפן=aviv.geffen ageffen|' +
      'שלמה ארצי=shlomo.artzi sartzi|יהודה עמיחי=yehuda.amichai yamichai|אתגר קרת=etgar.keret ekeret|שמעון פרס=shimon.peres speres|יצחק רבין=yitzhak.rabin yrabin|גולדה מאיר=golda.meir gmeir|' +
      'אריאל שרון=ariel.sharon asharon|ציפי לבני=tzipi.livni tlivni|אהוד ברק=ehud.barak ebarak|נפתלי בנט=naftali.bennett nbennett|בני גנץ=benny.gantz bgantz|דני אבדיה=deni.avdija davdija|' +
      'חיים טופול=chaim.topol haim.topol|יונתן כהן=yonatan.cohen ycohen|רונית אלקבץ=ronit.elkabetz relkabetz|אסי אזר=assi.azar aazar|ליאור סושרד=lior.suchard|מירי רגב=miri.regev mregev|גדעון סער=gideon.saar gsaar|איתמר רבינוביץ=itamar.rabinovich',
  },
  {
    writing: 'Devanagari',
    rows:
      'प्रियंका चोपड़ा=priyanka.chopra pchopra|नरेंद्र मोदी=narendra.modi nmodi|शाहरुख खान=shahrukh.khan srkhan|अमिताभ बच्चन=amitabh.bachchan abachchan|सचिन तेंदुलकर=sachin.tendulkar stendulkar|विराट कोहली=virat.kohli vkohli|' +
      'दीपिका पादुकोण=deepika.padukone dpadukone|रणबीर कपूर=ranbir.kapoor rkapoor|आलिया भट्ट=alia.bhatt abhatt|ऐश्वर्या राय=aishwarya.rai arai|माधुरी दीक्षित=madhuri.dixit mdixit|अक्षय कुमार=akshay.kumar akumar|' +
      'राहुल गांधी=rahul.gandhi rgandhi|इंदिरा गांधी=indira.gandhi igandhi|अरविंद केजरीवाल=arvind.kejriwal akejriwal|योगी आदित्यनाथ=yogi.adityanath|स्मृति ईरानी=smriti.irani sirani|लता मंगेशकर=lata.mangeshkar lmangeshkar|' +
      'आशा भोसले=asha.bhosle abhosle|सोनू निगम=sonu.nigam snigam|महेंद्र सिंह धोनी=mahendra.dhoni ms.dhoni|रोहित शर्मा=rohit.sharma rsharma|नीरज चोपड़ा=neeraj.chopra nchopra|मुंशी प्रेमचंद=munshi.premchand|' +
      'जयशंकर प्रसाद=jaishankar.prasad jprasad|महादेवी वर्मा=mahadevi.verma mverma|हरिवंश राय=harivansh.rai|अटल बिहारी वाजपेयी=atal.vajpayee ab.vajpayee|लक्ष्मी अग्रवाल=laxmi.agarwal lakshmi.agrawal|विद्या बालन=vidya.balan vbalan|' +
      'सुष्मिता सेन=sushmita.sen ssen|श्रीदेवी कपूर=sridevi.kapoor|कृष्ण मेनन=krishna.menon kmenon|वैशाली ठाकुर=vaishali.thakur vthakur|सौरभ शुक्ला=saurabh.shukla sshukla|पंकज त्रिपाठी=pankaj.tripathi ptripathi|' +
      'मनोज बाजपेयी=manoj.bajpayee mbajpayee|गिरिजा प्रसाद कोइराला=girija.koirala gp.koirala|पुष्प कमल दाहाल=pushpa.dahal|मनीषा कोइराला=manisha.koirala mkoirala',
  },
  {
    writing: 'other Indian scripts',
    rows:
      'রবীন্দ্রনাথ ঠাকুর=rabindranath.tagore rabindranath.thakur|সত্যজিৎ রায়=satyajit.ray sray|শেখ হাসিনা=sheikh.hasina shasina|মুহাম্মদ ইউনূস=muhammad.yunus myunus|সাকিব হাসান=shakib.hasan sakib.hasan|সৌরভ গাঙ্গুলি=sourav.ganguly sganguly|மணி ரத்னம்=mani.ratnam|ரஜினி காந்த்=rajini.kanth|' +
      'கமல் ஹாசன்=kamal.haasan khasan|விஜய் சேதுபதி=vijay.sethupathi vsethupathi|మహేష్ బాబు=mahesh.babu mbabu|ప్రభాస్ రాజు=prabhas.raju praju|ਮਨਮੋਹਨ ਸਿੰਘ=manmohan.singh msingh|ਦਿਲਜੀਤ ਦੋਸਾਂਝ=diljit.dosanjh ddosanjh|નરેન્દ્ર પટેલ=narendra.patel npatel|ಯಶ್ ಗೌಡ=yash.gowda|മോഹൻ ലാൽ=mohan.lal mlal|മമ്മൂട്ടി നായർ=mammootty.nair',
  },
  {
    writing: 'Thai',
    rows:
      'ทักษิณ ชินวัตร=thaksin.shinawatra tshinawatra|ยิ่งลักษณ์ ชินวัตร=yingluck.shinawatra|ประยุทธ์ จันทร์โอชา=prayut.chanocha prayuth.chanocha|ลลิษา มโนบาล=lalisa.manobal lalisa.manoban|สมชาย วงศ์สวัสดิ์=somchai.wongsawat swongsawat|' +
      'อภิสิทธิ์ เวชชาชีวะ=abhisit.vejjajiva|โทนี่ จา=tony.ja|ณเดชน์ คูกิมิยะ=nadech.kugimiya|อนันดา เอเวอริงแฮม=ananda.everingham|สุรยุทธ์ จุลานนท์=surayud.chulanont|ชวน หลีกภัย=chuan.leekpai|รัชนก อินทนนท์=ratchanok.intanon|ธนาธร จึงรุ่งเรืองกิจ=thanathorn.j|พิธา ลิ้มเจริญรัตน์=pita.limjaroenrat',
  },
  {
    writing: 'Russian',
    rows:
      'Владимир Путин=vladimir.putin vputin|Михаил Горбачёв=mikhail.gorbachev mgorbachev|Лев Толстой=leo.tolstoy lev.tolstoy ltolstoy|Фёдор Достоевский=fyodor.dostoevsky fedor.dostoyevsky|Пётр Чайковский=pyotr.tchaikovsky p.tchaikovsky petr.chaikovskii|Сергей Рахманинов=sergei.rachmaninoff sergey.rakhmaninov|' +
      'Юрий Гагарин=yuri.gagarin yury.gagarin ygagarin|Мария Шарапова=maria.sharapova msharapova|Евгений Плющенко=evgeni.plushenko yevgeny.plyushchenko|Александр Овечкин=alexander.ovechkin alex.ovechkin aovechkin|Алексей Навальный=alexei.navalny anavalny|Ксения Собчак=ksenia.sobchak xenia.sobchak|' +
      'Дмитрий Менделеев=dmitri.mendeleev dmendeleev|Антон Чехов=anton.chekhov achekhov|Иосиф Бродский=joseph.brodsky iosif.brodskii|Никита Хрущёв=nikita.khrushchev nkhrushchev|Борис Ельцин=boris.yeltsin byeltsin|Анна Ахматова=anna.akhmatova aakhmatova|' +
      'Игорь Стравинский=igor.stravinsky istravinsky|Василий Кандинский=wassily.kandinsky vasily.kandinsky|Дмитрий Шостакович=dmitri.shostakovich dshostakovich|Гарри Каспаров=garry.kasparov gkasparov|Анатолий Карпов=anatoly.karpov akarpov|Андрей Аршавин=andrey.arshavin andrei.arshavin|' +
      'Наталья Водянова=natalia.vodianova natalya.vodyanova|Жанна Агузарова=zhanna.aguzarova|Алёна Савченко=aliona.savchenko aljona.savchenko|Елена Исинбаева=yelena.isinbayeva elena.isinbaeva|Даниил Медведев=daniil.medvedev danil.medvedev|Андрей Рублёв=andrey.rublev arublev|Татьяна Тарасова=tatiana.tarasova tatyana.tarasova|Семён Слепаков=semyon.slepakov semen.slepakov',
  },
  {
    writing: 'other Cyrillic',
    rows:
      'Володимир Зеленський=volodymyr.zelenskyy volodymyr.zelensky vzelenskyi|Андрій Шевченко=andriy.shevchenko andrii.shevchenko|Віталій Кличко=vitali.klitschko vitaliy.klychko|Юлія Тимошенко=yulia.tymoshenko yuliia.tymoshenko|Сергій Жадан=serhiy.zhadan serhii.zhadan|Оксана Забужко=oksana.zabuzhko|Еліна Світоліна=elina.svitolina|Олександр Усик=oleksandr.usyk ousyk|' +
      'Григорій Сковорода=hryhorii.skovoroda|Леся Українка=lesya.ukrainka lesia.ukrainka|Світлана Тихановская=sviatlana.tsikhanouskaya svetlana.tikhanovskaya|Святлана Алексіевіч=sviatlana.alexievich svetlana.aleksievich|Вікторыя Азаранка=victoria.azarenka viktoryia.azaranka|Новак Ђоковић=novak.djokovic novak.dokovic|Иво Андрић=ivo.andric iandric|Емир Кустурица=emir.kusturica|Вук Караџић=vuk.karadzic|' +
      'Бойко Борисов=boyko.borisov boiko.borissov|Христо Стоичков=hristo.stoichkov hstoichkov|Григор Димитров=grigor.dimitrov|Стефка Костадинова=stefka.kostadinova|Цветана Пиронкова=tsvetana.pironkova|Нурсултан Назарбаев=nursultan.nazarbayev|Чингиз Айтматов=chingiz.aitmatov chinghiz.aitmatov|Владо Јаневски=vlado.janevski|Горан Пандев=goran.pandev',
  },
  {
    writing: 'Greek, Georgian, Armenian',
    rows:
      'Γιώργος Λάνθιμος=yorgos.lanthimos giorgos.lanthimos|Γιάννης Αντετοκούνμπο=giannis.antetokounmpo yannis.antetokounmpo|Μίκης Θεοδωράκης=mikis.theodorakis mtheodorakis|Νίκος Καζαντζάκης=nikos.kazantzakis nkazantzakis|Αλέξης Τσίπρας=alexis.tsipras atsipras|Κυριάκος Μητσοτάκης=kyriakos.mitsotakis kmitsotakis|Μελίνα Μερκούρη=melina.mercouri melina.merkouri|Νάνα Μούσχουρη=nana.mouskouri|' +
      'Στέφανος Τσιτσιπάς=stefanos.tsitsipas|Μαρία Σάκκαρη=maria.sakkari msakkari|Ευάγγελος Παπαθανασίου=evangelos.papathanassiou|Οδυσσέας Ελύτης=odysseas.elytis|Άγγελος Χαριστέας=angelos.charisteas|Ειρήνη Παππά=irene.papas irini.pappa|Χάρις Αλεξίου=haris.alexiou charis.alexiou|Γεώργιος Σεφέρης=george.seferis giorgos.seferis|Κωνσταντίνος Καβάφης=constantine.cavafy konstantinos.kavafis|' +
      'მიხეილ სააკაშვილი=mikheil.saakashvili msaakashvili|ხვიჩა კვარაცხელია=khvicha.kvaratskhelia|ნინო ბურჯანაძე=nino.burjanadze|შოთა რუსთაველი=shota.rustaveli|ედუარდ შევარდნაძე=eduard.shevardnadze|Հենրիխ Մխիթարյան=henrikh.mkhitaryan hmkhitaryan|Նիկոլ Փաշինյան=nikol.pashinyan npashinyan|Սերժ Սարգսյան=serzh.sargsyan serj.sarkisian|Արամ Խաչատրյան=aram.khachaturian akhachatryan|Լևոն Արոնյան=levon.aronian',
  },
  {
    writing: 'Japanese',
    rows:
      '大野智=satoshi.ohno sohno ono.satoshi|村上春樹=haruki.murakami hmurakami|宮崎駿=hayao.miyazaki hmiyazaki|黒澤明=akira.kurosawa akurosawa|安倍晋三=shinzo.abe sabe|大谷翔平=shohei.ohtani sohtani shohei.otani|羽生結弦=yuzuru.hanyu yhanyu|大坂なおみ=naomi.osaka nosaka|錦織圭=kei.nishikori knishikori|小池百合子=yuriko.koike ykoike|' +
      '坂本龍一=ryuichi.sakamoto rsakamoto|北野武=takeshi.kitano tkitano|渡辺謙=ken.watanabe kwatanabe|真田広之=hiroyuki.sanada|浅田真央=mao.asada|中田英寿=hidetoshi.nakata hnakata|香川真司=shinji.kagawa|本田圭佑=keisuke.honda khonda|久保建英=takefusa.kubo|三笘薫=kaoru.mitoma|' +
      '草間彌生=yayoi.kusama|東野圭吾=keigo.higashino|吉本ばなな=banana.yoshimoto|川端康成=yasunari.kawabata|三島由紀夫=yukio.mishima|夏目漱石=soseki.natsume|新海誠=makoto.shinkai|細田守=mamoru.hosoda|是枝裕和=hirokazu.koreeda|高畑 勲=isao.takahata|岸田 文雄=fumio.kishida fkishida|石破 茂=shigeru.ishiba|' +
      '新垣結衣=yui.aragaki|石原さとみ=satomi.ishihara|綾瀬はるか=haruka.ayase|木村拓哉=takuya.kimura|中居正広=masahiro.nakai|二宮和也=kazunari.ninomiya|櫻井翔=sho.sakurai|松本潤=jun.matsumoto|鈴木 一郎=ichiro.suzuki|孫正義=masayoshi.son|柳井正=tadashi.yanai|山中伸弥=shinya.yamanaka|田中 耕一=koichi.tanaka|スズキ ケンジ=kenji.suzuki|たかはし るみこ=rumiko.takahashi',
  },
  {
    writing: 'Chinese',
    rows:
      '习近平=xi.jinping jinping.xi|马云=jack.ma yun.ma|姚明=yao.ming ming.yao|李娜=li.na na.li|刘翔=liu.xiang|郎朗=lang.lang|章子怡=ziyi.zhang zhang.ziyi|巩俐=gong.li|李安=ang.lee|周杰倫=jay.chou jielun.zhou|張學友=jacky.cheung hokyau.cheung|劉德華=andy.lau takwah.lau|' +
      '梁朝偉=tony.leung chiuwai.leung|張曼玉=maggie.cheung|蔡英文=tsai.ingwen ingwen.tsai|馬英九=ma.yingjeou yingjeou.ma|郭台銘=terry.gou|王菲=faye.wong|陳奕迅=eason.chan|李嘉誠=li.kashing kashing.li|林鄭月娥=carrie.lam|侯孝賢=hou.hsiaohsien|莫言=mo.yan|余华=yu.hua|刘慈欣=cixin.liu liu.cixin|任正非=ren.zhengfei|雷军=lei.jun|马化腾=pony.ma ma.huateng|' +
      '屠呦呦=tu.youyou|谷爱凌=eileen.gu|苏炳添=su.bingtian|诸葛亮=zhuge.liang|欧阳娜娜=ouyang.nana nana.ouyang|赵丽颖=zhao.liying|杨紫琼=michelle.yeoh|李光耀=lee.kuanyew kuanyew.lee|吴作栋=goh.choktong|王家卫=wong.karwai|许鞍华=ann.hui|曾荫权=donald.tsang',
  },
  {
    writing: 'Korean',
    rows:
      '손흥민=heungmin.son son.heungmin hmson|김연아=yuna.kim kim.yuna|박지성=jisung.park jspark|봉준호=joonho.bong bong.joonho|박찬욱=chanwook.park|이병헌=byunghun.lee|송강호=kangho.song|전지현=jihyun.jun gianna.jun|이민호=minho.lee lee.minho|현빈=hyun.bin|문재인=moon.jaein jaein.moon|윤석열=yoon.sukyeol sukyeol.yoon|박근혜=geunhye.park|반기문=kimoon.ban ban.kimoon|이재용=jaeyong.lee jay.y.lee|' +
      '방시혁=sihyuk.bang|김남준=namjoon.kim|전정국=jungkook.jeon|민윤기=yoongi.min|정호석=hoseok.jung|김석진=seokjin.kim|박지민=jimin.park|김태형=taehyung.kim|이지은=jieun.lee|한강=han.kang kang.han|황동혁=donghyuk.hwang|이정재=jungjae.lee|윤여정=yuhjung.youn yeojeong.yoon|배두나=doona.bae|김민재=minjae.kim|황희찬=heechan.hwang hee.chan.hwang|류현진=hyunjin.ryu|박세리=seri.park|최민식=minsik.choi|공유진=gongyoo.jin yujin.kong|남궁민=namgoong.min minnamkung',
  },
  {
    writing: 'alphabets once more, written when the rules were done',
    rows:
      'Эльдар Рязанов=eldar.ryazanov|Андрей Тарковский=andrei.tarkovsky atarkovskij|Майя Плисецкая=maya.plisetskaya maia.plissetskaia|Рудольф Нуреев=rudolf.nureyev rnureev|Мстислав Ростропович=mstislav.rostropovich|Валентина Терешкова=valentina.tereshkova|Лидия Раневская=lydia.ranevskaya lidia.ranevskaia|Фаина Каплан=fanny.kaplan faina.kaplan|Сергей Эйзенштейн=sergei.eisenstein s.eizenshtein|Павел Дуров=pavel.durov pdurov|Юрий Мильнер=yuri.milner yury.milner|Аркадий Волож=arkady.volozh|Зинаида Гиппиус=zinaida.gippius zinaida.hippius|Илья Репин=ilya.repin ilia.repin|Ольга Корбут=olga.korbut|Любовь Соболь=lyubov.sobol liubov.sobol|' +
      'Тарас Шевченко=taras.shevchenko tshevchenko|Лілія Подкопаєва=lilia.podkopayeva liliya.podkopaieva|Василь Ломаченко=vasyl.lomachenko vasiliy.lomachenko|Михайло Мудрик=mykhailo.mudryk mikhailo.mudrik|Іван Франко=ivan.franko|Зоряна Скалецька=zoriana.skaletska zoryana.skaletskaya|Гео Милев=geo.milev|Димитър Бербатов=dimitar.berbatov dimitur.berbatov|Ана Ивановић=ana.ivanovic|Немања Видић=nemanja.vidic|Никола Јокић=nikola.jokic|Александар Вучић=aleksandar.vucic|Ђорђе Балашевић=djordje.balasevic dorde.balasevic|Љубомир Симовић=ljubomir.simovic|' +
      'Ελευθέριος Βενιζέλος=eleftherios.venizelos|Αριστοτέλης Ωνάσης=aristotle.onassis aristotelis.onasis|Γιάννης Βαρουφάκης=yanis.varoufakis ioannis.varoufakis|Ηλέκτρα Παπανικολάου=ilektra.papanikolaou electra.papanicolaou|Χρύσα Δημουλίδου=chrysa.dimoulidou xrysa.dimoulidou|Σπύρος Παπαδάτος=spiros.papadatos spyros.papadatos|Άννα Βίσση=anna.vissi avissi|Θεόδωρος Αγγελόπουλος=theo.angelopoulos thodoros.aggelopoulos|Παύλος Μπακογιάννης=pavlos.bakoyannis pavlos.mpakogiannis|Ντόρα Μπακογιάννη=dora.bakoyannis ntora.mpakogianni|' +
      'გიორგი მარგველაშვილი=giorgi.margvelashvili|ქეთევან მელუა=katie.melua ketevan.melua|ბიძინა ივანიშვილი=bidzina.ivanishvili|ზურაბ წერეთელი=zurab.tsereteli|Շարլ Ազնավուր=charles.aznavour sharl.aznavour|Տիգրան Պետրոսյան=tigran.petrosian dikran.bedrossian|Վարդան Մամիկոնյան=vartan.mamigonian vardan.mamikonyan|Սերգեյ Փարաջանով=sergei.parajanov|Գևորգ Սարյան=gevorg.saryan kevork.sarian|Սիրանուշ Հարությունյան=siranush.harutyunyan siranoush.haroutunian',
  },
];
